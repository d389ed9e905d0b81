// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NativeHandleTest {
    private final NativeHandle handle = new NativeHandle("QP 17", MemorySegment.ofAddress(64));

    @Test
    void aDestroyedHandleReturnsNoPointer() throws VerbsException {
        assertThat(handle.enter().address()).isEqualTo(64);
        handle.exit();

        assertThat(handle.close(pointer -> {})).isTrue();

        assertThat(handle.tryEnter()).isFalse();
        assertThatIllegalStateException().isThrownBy(handle::enter).withMessageContaining("QP 17 is closed");
        assertThat(handle.close(pointer -> {
                    throw new AssertionError("destroyed twice");
                }))
                .isFalse();
    }

    @Test
    void whenDestroyingItFailsItStaysOpen() {
        VerbsException busy = catchThrowableOfType(
                VerbsException.class,
                () -> handle.close(pointer -> {
                    throw new VerbsException(Errno.EBUSY, "ibv_destroy_qp", "provoked");
                }));

        assertThat(busy.errno()).isEqualTo(Errno.EBUSY);
        assertThat(handle.tryEnter()).isTrue();
    }

    @Test
    void theObjectIsDestroyedOnlyWithoutUsesOfThePointer() throws InterruptedException {
        AtomicBoolean destroyed = new AtomicBoolean();
        AtomicInteger used = new AtomicInteger();
        AtomicInteger usedAfter = new AtomicInteger();
        CountDownLatch began = new CountDownLatch(4);
        List<Thread> users = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            users.add(Thread.ofPlatform().start(() -> {
                began.countDown();
                while (handle.tryEnter()) {
                    if (destroyed.get()) {
                        usedAfter.incrementAndGet();
                    }
                    used.incrementAndGet();
                    handle.exit();
                }
            }));
        }
        began.await();
        Thread closer = Thread.ofPlatform().start(() -> {
            try {
                handle.close(pointer -> destroyed.set(true));
            } catch (VerbsException impossible) {
                throw new AssertionError(impossible);
            }
        });
        closer.join();
        for (Thread user : users) {
            user.join();
        }

        assertThat(destroyed).isTrue();
        assertThat(usedAfter).hasValue(0);
    }
}
