// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.invoke.VarHandle;

/**
 * A lock for critical sections of some dozens of instructions: locking costs one compare-and-set, unlocking one store. A
 * waiting thread spins. At intervals the waiting thread yields, because the scheduler may have preempted the owner of the
 * lock. The lock is not reentrant. A thread that holds the lock must neither wait nor call code outside this library.
 *
 * <p>A spin lock is an {@code int} field, initially 0, in the guarded object. The field should be in a cache line that
 * the owner of the spin lock uses anyway.
 */
public final class SpinLock {
    private static final int SPINS = 100;
    private static final int FREE = 0;
    private static final int HELD = 1;

    private SpinLock() {}

    /**
     * Waits until the lock is free, and acquires it.
     *
     * @param word the {@link VarHandle} of the field that shows whether the lock is held
     * @param guarded the object that has the field
     */
    public static void lock(VarHandle word, Object guarded) {
        if (!word.compareAndSet(guarded, FREE, HELD)) {
            lockLater(word, guarded);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // The lock works even if `Thread.yield` has no effect.
    private static void lockLater(VarHandle word, Object guarded) {
        int looks = 0;
        do {
            while ((int) word.getOpaque(guarded) == HELD) {
                if (++looks % SPINS == 0) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
        } while (!word.compareAndSet(guarded, FREE, HELD));
    }

    /**
     * Releases a lock that the calling thread holds.
     *
     * @param word the {@link VarHandle} of the field that shows whether the lock is held
     * @param guarded the object that has the field
     */
    public static void unlock(VarHandle word, Object guarded) {
        word.setRelease(guarded, FREE);
    }
}
