package dev.verbena.sim.runtime;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that sleep until they are woken up or a while has passed. Waking up costs one read when nobody sleeps. */
final class Sleepers {
    private final AtomicInteger count = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wokenUp = lock.newCondition();

    /** Written under the lock. */
    private volatile int wakeUps;

    /** Announces that the caller is about to sleep; from here on no {@link #wakeUp()} is overlooked. */
    void enter() {
        count.incrementAndGet();
    }

    void exit() {
        count.decrementAndGet();
    }

    /** Returns a ticket for {@link #sleep}; to be taken before the condition is looked at. */
    int ticket() {
        return wakeUps;
    }

    /** Sleeps, unless there was a {@link #wakeUp()} since the ticket was taken. */
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
        // What the caller has just made true is seen by whoever comes to sleep after this look.
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
