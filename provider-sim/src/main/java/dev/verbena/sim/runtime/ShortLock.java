package dev.verbena.sim.runtime;

/**
 * A lock for what takes some dozens of instructions: entering costs one compare-and-set and leaving a store. Who waits spins, and
 * lets other threads run now and then, as the holder may have lost its processor. Not reentrant; nobody waits for anything else
 * and nothing foreign is called while it is held.
 */
public final class ShortLock extends OwnWord {
    private static final int SPINS = 100;
    private static final int FREE = 0;
    private static final int HELD = 1;

    /** Creates a lock that nobody holds. */
    public ShortLock() {
        super(FREE);
    }

    /** Waits until nobody holds the lock, and holds it from then on. */
    public void lock() {
        if (!WORD.compareAndSet(this, FREE, HELD)) {
            lockLater();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy to the holder; nothing relies on it.
    private void lockLater() {
        int looks = 0;
        do {
            while ((int) WORD.getOpaque(this) == HELD) {
                if (++looks % SPINS == 0) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
        } while (!WORD.compareAndSet(this, FREE, HELD));
    }

    /** Gives the lock to others, as its holder. */
    public void unlock() {
        WORD.setRelease(this, FREE);
    }
}
