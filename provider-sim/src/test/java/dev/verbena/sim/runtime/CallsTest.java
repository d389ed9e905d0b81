// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that a thread does not end. */
class CallsTest {
    private final Logger logger = Logger.getLogger(Calls.class.getName());
    private final List<String> messages = new ArrayList<>();
    private final Handler collecting = new Handler() {
        @Override
        public void publish(LogRecord message) {
            messages.add(message.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final List<RuntimeTask> released = new ArrayList<>();
    private final AtomicInteger threads = new AtomicInteger();
    private final Calls calls = new Calls(this::release, threads::incrementAndGet);
    private final JumpingRuntime runtime = new JumpingRuntime(1, 1000);
    private final RuntimeTask first = (RuntimeTask) runtime.newSerialTask(() -> {});
    private final RuntimeTask second = (RuntimeTask) runtime.newSerialTask(() -> {});

    @BeforeEach
    void collect() {
        logger.addHandler(collecting);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void removeHandler() {
        logger.removeHandler(collecting);
        logger.setUseParentHandlers(true);
    }

    private void release(TaskFifo tasks) {
        for (RuntimeTask task = tasks.poll(); task != null; task = tasks.poll()) {
            released.add(task);
        }
    }

    private Calls.Nesting begin() {
        Calls.Nesting here = new Calls.Nesting();
        calls.begin(here);
        here.kept.add(first);
        here.forOthers.add(second);
        return here;
    }

    private static Thread start(String name, Runnable body) {
        return Thread.ofPlatform().name(name).start(body);
    }

    @Test
    void tasksOfAThreadThatHasEndedInACallAreReleased() throws InterruptedException {
        start("careless", this::begin).join();
        assertThat(threads).hasValue(1);
        calls.check();
        assertThat(released).containsExactlyInAnyOrder(first, second);
        assertThat(messages).hasSize(1);
        assertThat(messages.getFirst()).startsWith("thread careless has ended inside a call");
        assertThat(calls.isEmpty()).isTrue();
        calls.check();
        assertThat(messages).hasSize(1);
    }

    @Test
    void aThreadThatEndsItsCallsIsForgottenWithoutAWord() throws InterruptedException {
        start("careful", () -> {
                    Calls.Nesting here = begin();
                    here.calls--;
                    release(here.kept);
                    release(here.forOthers);
                })
                .join();
        calls.check();
        assertThat(calls.isEmpty()).isTrue();
        assertThat(messages).isEmpty();
    }

    @Test
    void aThreadThatStaysInACallIsNamedOnceAndKeepsItsTasks() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<InterruptedException> interrupted = new AtomicReference<>();
        Thread thread = start("waiting", () -> {
            begin();
            begun.countDown();
            try {
                ended.await();
            } catch (InterruptedException e) {
                interrupted.set(e);
            }
        });
        begun.await();
        for (int checks = 0; checks < 4; checks++) {
            calls.check();
        }
        assertThat(messages).hasSize(1);
        assertThat(messages.getFirst()).startsWith("thread waiting has been in one call for more than a second");
        assertThat(released).isEmpty();
        ended.countDown();
        thread.join();
        assertThat(interrupted).hasValue(null);
    }
}
