// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that sleep until a wake-up or a timeout. If no thread sleeps, a wake-up costs only one fence and one read. */
final class Sleepers {
    private final AtomicInteger count = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wokenUp = lock.newCondition();

    /** The number of wake-ups. Writers hold the lock. */
    private volatile int wakeUps;

    /** Registers the calling thread for wake-ups. Until {@link #exit()}, the thread misses no {@link #wakeUp()}. */
    void enter() {
        count.incrementAndGet();
    }

    void exit() {
        count.decrementAndGet();
    }

    /**
     * Returns the number of wake-ups until now, which the caller passes to {@link #sleep}. The caller must call {@code
     * ticket} before it evaluates the condition that it waits for.
     */
    int ticket() {
        return wakeUps;
    }

    /** Sleeps. Returns immediately if {@link #wakeUp()} was called since {@link #ticket()} returned {@code ticket}. */
    void sleep(int ticket, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (wakeUps == ticket && left > 0) {
                left = wokenUp.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    void wakeUp() {
        // A thread that calls `enter()` after the read of `count` needs no wake-up. After the fence, a thread that
        // calls `enter()` sees all writes that preceded this call of `wakeUp()`.
        VarHandle.fullFence();
        if (count.get() == 0) {
            return;
        }
        lock.lock();
        try {
            wakeUps++;
            wokenUp.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
