package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for what takes some dozens of instructions: entering costs one compare-and-set and leaving a store. Who waits spins, and
 * lets other threads run now and then, as the holder may have lost its processor. Not reentrant; nobody waits for anything else
 * and nothing foreign is called while it is held.
 */
public final class ShortLock {
    private static final VarHandle HELD;
    private static final int SPINS = 100;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(ShortLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Reached through {@link #HELD} only. */
    @SuppressWarnings("UnusedVariable")
    private boolean held;

    /** Creates a lock that nobody holds. */
    public ShortLock() {}

    /** Waits until nobody holds the lock, and holds it from then on. */
    public void lock() {
        if (!HELD.compareAndSet(this, false, true)) {
            lockLater();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy to the holder; nothing relies on it.
    private void lockLater() {
        int looks = 0;
        do {
            while ((boolean) HELD.getOpaque(this)) {
                if (++looks % SPINS == 0) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
        } while (!HELD.compareAndSet(this, false, true));
    }

    /** Gives the lock to others, as its holder. */
    public void unlock() {
        HELD.setRelease(this, false);
    }
}
