// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.sim.runtime.CacheLinePadded;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The count of accesses in progress (reader count) and two state bits of an {@link AccessPoint}, in one {@code int}. The
 * state bits determine whether further threads may begin an access to the memory region or memory window.
 *
 * <p><b>Close, drain, change.</b> A thread that changes a memory region or memory window first stops new accesses, then
 * waits until the reader count is zero, and then makes the change. Threads that make a change must hold a common lock,
 * because this class does not prevent concurrent changes.
 */
class ReaderCount extends CacheLinePadded {
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(ReaderCount.class, "word", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** While this state bit is set, {@link #enter} returns false, and no thread begins an access. */
    private static final int INVALID = 1 << 30;
    /**
     * While this state bit is set, {@link #enter} waits for the thread that changes the memory region. The method {@code
     * enter} waits only briefly, because each access in progress copies only a few packets.
     */
    private static final int CHANGING = 1 << 29;

    private static final int SHUT = INVALID | CHANGING;
    private static final int SPINS = 200;

    @SuppressWarnings("UnusedVariable") // Accessed through the VarHandle WORD.
    private int word = INVALID;

    ReaderCount() {}

    /**
     * Begins an access, which increments the reader count. If another thread is changing the memory region, runs {@code
     * beforeWaiting} and then waits for the end of the change. Returns false after {@link #refuse}.
     */
    final boolean enter(@Nullable Runnable beforeWaiting) {
        int seen = (int) WORD.getAndAdd(this, 1);
        return (seen & SHUT) == 0 || enterLater(seen, beforeWaiting);
    }

    final boolean tryEnter() {
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

    final void leave() {
        WORD.getAndAdd(this, -1);
    }

    final boolean isValid() {
        return ((int) WORD.getAcquire(this) & INVALID) == 0;
    }

    /** Makes later {@link #enter} calls return false. Each access in progress may continue until {@link #leave}. */
    final void refuse() {
        WORD.getAndBitwiseOr(this, INVALID);
    }

    /**
     * Makes later calls of {@link #enter} wait until {@link #open} is called. Each access in progress may continue until
     * {@link #leave}.
     */
    final void hold() {
        WORD.getAndBitwiseOr(this, CHANGING);
    }

    final void drain() {
        for (int i = 0; ((int) WORD.getAcquire(this) & ~SHUT) != 0; i++) {
            pause(i);
        }
    }

    final void open() {
        WORD.getAndBitwiseAnd(this, ~SHUT);
    }

    /**
     * Waits between two reads of the state word. After {@code SPINS} iterations of the waiting loop, this method calls
     * {@link Thread#yield}, because the operating system may have descheduled the awaited thread.
     */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(int turn) {
        if (turn < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
