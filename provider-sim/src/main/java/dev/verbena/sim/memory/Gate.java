package dev.verbena.sim.memory;

import dev.verbena.sim.runtime.OwnWord;
import org.jspecify.annotations.Nullable;

/**
 * Keeps those who use something and those who change it apart. A use enters and leaves; who changes shuts the gate first and waits
 * until everybody is out. Changes exclude each other in some other way.
 *
 * <p>Its word says how many are inside, and whether others are kept out.
 */
final class Gate extends OwnWord {
    /** Nobody enters; a use is refused. */
    private static final int INVALID = 1 << 30;
    /** Nobody enters; a use waits, which is a matter of one packet. */
    private static final int CHANGING = 1 << 29;

    private static final int SHUT = INVALID | CHANGING;
    private static final int SPINS = 200;

    /** Makes a gate where a use is refused. */
    Gate() {
        super(INVALID);
    }

    /** Begins a use, and before it has to wait for that does something; false if it is refused. */
    boolean enter(@Nullable Runnable beforeWaiting) {
        int seen = (int) WORD.getAndAdd(this, 1);
        return (seen & SHUT) == 0 || enterLater(seen, beforeWaiting);
    }

    /** Begins a use if that is possible at once. */
    boolean tryEnter() {
        boolean open = ((int) WORD.getAndAdd(this, 1) & SHUT) == 0;
        if (!open) {
            leave();
        }
        return open;
    }

    private boolean enterLater(int firstSeen, @Nullable Runnable beforeWaiting) {
        int seen = firstSeen;
        while ((seen & SHUT) != 0) {
            leave();
            if ((seen & INVALID) != 0) {
                return false;
            }
            if (beforeWaiting != null) {
                beforeWaiting.run();
            }
            for (int i = 0; ((int) WORD.getAcquire(this) & SHUT) == CHANGING; i++) {
                pause(i);
            }
            seen = (int) WORD.getAndAdd(this, 1);
        }
        return true;
    }

    /** Ends a use. */
    void leave() {
        WORD.getAndAdd(this, -1);
    }

    boolean isValid() {
        return ((int) WORD.getAcquire(this) & INVALID) == 0;
    }

    /** From now on a use is refused; who is inside stays there. */
    void refuse() {
        WORD.getAndBitwiseOr(this, INVALID);
    }

    /** From now on a use waits; who is inside stays there. */
    void hold() {
        WORD.getAndBitwiseOr(this, CHANGING);
    }

    /** Waits until nobody is inside. */
    void drain() {
        for (int i = 0; ((int) WORD.getAcquire(this) & ~SHUT) != 0; i++) {
            pause(i);
        }
    }

    /** From now on everybody may enter. */
    void open() {
        WORD.getAndBitwiseAnd(this, ~SHUT);
    }

    /** Whoever is waited for is inside a copy, and may have lost its processor there. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(int turn) {
        if (turn < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
