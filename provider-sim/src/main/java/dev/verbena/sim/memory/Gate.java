package dev.verbena.sim.memory;

import dev.verbena.sim.runtime.OwnLine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Keeps those who use something and those who change it apart. A use enters and leaves; who changes shuts the gate first and waits
 * until everybody is out. Changes exclude each other in some other way.
 *
 * <p>Its word says how many are inside, and whether others are kept out.
 */
class Gate extends OwnLine {
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Gate.class, "word", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Nobody enters; a use is refused. */
    private static final int INVALID = 1 << 30;
    /** Nobody enters; a use waits, which is a matter of a few packets. */
    private static final int CHANGING = 1 << 29;

    /** Only users who can wait enter, and they expect the memory to vanish meanwhile. */
    private static final int GUARDED = 1 << 28;

    private static final int SHUT = INVALID | CHANGING;
    private static final int MARKS = SHUT | GUARDED;
    private static final int SPINS = 200;

    @SuppressWarnings("UnusedVariable") // Reached through its handle.
    private int word = INVALID;

    /** Makes a gate where a use is refused. */
    Gate() {}

    /** Begins a use, and before it has to wait for that does something; false if it is refused. */
    final boolean enter(@Nullable Runnable beforeWaiting) {
        int seen = (int) WORD.getAndAdd(this, 1);
        return (seen & SHUT) == 0 || enterLater(seen, beforeWaiting);
    }

    /** Begins a use if that is possible at once. */
    final boolean tryEnter() {
        boolean open = ((int) WORD.getAndAdd(this, 1) & MARKS) == 0;
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
    final void leave() {
        WORD.getAndAdd(this, -1);
    }

    final boolean isValid() {
        return ((int) WORD.getAcquire(this) & INVALID) == 0;
    }

    /** From now on a use is refused; who is inside stays there. */
    final void refuse() {
        WORD.getAndBitwiseOr(this, INVALID);
    }

    /** From now on a use waits; who is inside stays there. */
    final void hold() {
        WORD.getAndBitwiseOr(this, CHANGING);
    }

    /** Waits until nobody is inside. */
    final void drain() {
        for (int i = 0; ((int) WORD.getAcquire(this) & ~MARKS) != 0; i++) {
            pause(i);
        }
    }

    /** While the gate is shut: whether it admits only users who can wait. */
    final void guard(boolean guarded) {
        if (guarded) {
            WORD.getAndBitwiseOr(this, GUARDED);
        } else {
            WORD.getAndBitwiseAnd(this, ~GUARDED);
        }
    }

    /** From now on everybody may enter. */
    final void open() {
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
