// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SpinLockTest {
    private static final int THREADS = 4;
    private static final int TURNS = 20_000;

    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(SpinLockTest.class, "lock", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    @SuppressWarnings("UnusedVariable") // Reached through its handle.
    private int lock;

    private long count;

    @Test
    @Timeout(120)
    void oneThreadAtATimeHoldsTheLock() throws Exception {
        CountDownLatch ready = new CountDownLatch(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().start(() -> countUp(ready)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(count).isEqualTo((long) THREADS * TURNS);
    }

    private void countUp(CountDownLatch ready) {
        ready.countDown();
        while (ready.getCount() > 0) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < TURNS; i++) {
            SpinLock.lock(LOCK, this);
            try {
                count++;
            } finally {
                SpinLock.unlock(LOCK, this);
            }
        }
    }
}
