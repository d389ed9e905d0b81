package dev.verbena.sim.runtime;

import java.lang.invoke.VarHandle;

/**
 * A lock for what takes some dozens of instructions: entering costs one compare-and-set and leaving a store. Who waits spins, and
 * lets other threads run now and then, as the holder may have lost its processor. Not reentrant; nobody waits for anything else
 * and nothing foreign is called while it is held.
 *
 * <p>It is an {@code int}, at first 0, of the object that it guards, in a cache line that its holder needs anyhow.
 */
public final class ShortLock {
    private static final int SPINS = 100;
    private static final int FREE = 0;
    private static final int HELD = 1;

    private ShortLock() {}

    /**
     * Waits until nobody holds a lock, and holds it from then on.
     *
     * @param word which field of its object it is
     * @param guarded the object
     */
    public static void lock(VarHandle word, Object guarded) {
        if (!word.compareAndSet(guarded, FREE, HELD)) {
            lockLater(word, guarded);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy to the holder; nothing relies on it.
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
     * Gives a lock to others, as its holder.
     *
     * @param word which field of its object it is
     * @param guarded the object
     */
    public static void unlock(VarHandle word, Object guarded) {
        word.setRelease(guarded, FREE);
    }
}
