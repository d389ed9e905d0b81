// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.FakeLibrary;
import dev.verbena.ibverbs.event.NativeAsyncEvents;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.internal.Use;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.struct.IbvDeviceAttr;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls on a queue pair while another thread closes it: both end, in every order of their steps. */
class QpClosingTest {
    private static final Gid GROUP = Gid.parse("239.1.2.3");

    private final FakeLibrary library = new FakeLibrary();
    private final NativeHandle handle = new NativeHandle("QP 17", MemorySegment.ofAddress(64));
    private Device device;

    @BeforeEach
    void open() throws VerbsException {
        library.limit(IbvDeviceAttr.MAX_MCAST_GRP, 4);
        device = library.open();
    }

    @AfterEach
    void close() throws VerbsException {
        device.close();
    }

    /** A call in a thread of its own. */
    private static final class Call<T> extends FutureTask<T> {
        private final Thread thread;

        Call(Callable<T> body) {
            super(body);
            thread = Thread.ofPlatform().daemon().start(this);
        }

        /** Returns once it waits for the use of a handle to end, or is over. */
        void awaitWaiting() {
            awaitAny(Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED));
        }

        /** Returns once it waits for anything, or is over. */
        void awaitStopped() {
            awaitAny(Set.of(
                    Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED));
        }

        private void awaitAny(Set<Thread.State> states) {
            while (!states.contains(thread.getState())) {
                Thread.onSpinWait();
            }
        }

        T result() throws Exception {
            return get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void joiningAGroupDuringACloseDoesNotPreventTheClose() throws Exception {
        QpGroups groups = new QpGroups(device, library.queuePairs, handle);
        CountDownLatch closing = new CountDownLatch(1);
        Call<Optional<Object>> joins = new Call<>(() -> {
            closing.await();
            groups.attach(QpType.UD, GROUP, 0);
            return Optional.empty();
        });

        Call<Boolean> closes = new Call<>(() -> handle.close(pointer -> {
            closing.countDown();
            joins.awaitWaiting();
            groups.requireNone();
        }));

        assertThat(closes.result()).isTrue();
        assertThatThrownBy(joins::result).rootCause().hasMessage("QP 17 is closed");
    }

    @Test
    void queuePairsJoinGroupsOneAtATimeAsTheKernelMayLoseOneOtherwise() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch firstIsInside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        when(library.queuePairs.attachMcast(any(), any(), any(), anyInt())).thenAnswer(call -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            firstIsInside.countDown();
            goOn.await();
            inside.decrementAndGet();
            return 0;
        });
        Call<Optional<Object>> first = joining("QP 18");
        assertThat(firstIsInside.await(10, TimeUnit.SECONDS)).isTrue();
        Call<Optional<Object>> second = joining("QP 19");
        second.awaitStopped();
        goOn.countDown();

        first.result();
        second.result();
        assertThat(most).hasValue(1);
    }

    private Call<Optional<Object>> joining(String name) {
        QpGroups groups = new QpGroups(device, library.queuePairs, new NativeHandle(name, MemorySegment.ofAddress(64)));
        return new Call<>(() -> {
            groups.attach(QpType.UD, GROUP, 0);
            return Optional.empty();
        });
    }

    @Test
    void aStateQueryInsideAUseDoesNotWaitForTheClosingThread() throws Exception {
        QpControl control = new QpControl(library.queuePairs, handle, QpType.RC, pointer -> {});
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch closerWaits = new CountDownLatch(1);
        Call<QpState> asks = new Call<>(() -> {
            Use use = handle.begin();
            try {
                inside.countDown();
                closerWaits.await();
                return control.state();
            } finally {
                handle.done(use);
            }
        });
        inside.await();
        Call<Boolean> closes = new Call<>(() -> handle.close(pointer -> {}));
        closes.awaitWaiting();
        closerWaits.countDown();

        assertThat(asks.result()).isEqualTo(QpState.RESET);
        assertThat(closes.result()).isTrue();
    }

    @Test
    void anAddressThatIsAnothersByNowIsLeftToIt() {
        QueueTable open = new QueueTable(new NativeAsyncEvents("a device"));
        MemorySegment address = MemorySegment.ofAddress(64);
        open.add(address, "first");
        open.add(address, "second");

        open.remove(address, "first");

        assertThat(open.find(address, String.class)).contains("second");
    }
}
