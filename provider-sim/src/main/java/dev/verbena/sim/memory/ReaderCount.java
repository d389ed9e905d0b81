// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.sim.runtime.CacheLinePadded;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A word that contains a reader count and a state. The reader count is the number of threads that read the guarded data.
 * The state determines whether further threads may begin to read the guarded data.
 *
 * <p><b>Close, drain, change.</b> A writer first stops new readers, then waits until the reader count is zero, and then
 * writes the data. Writers must hold a common lock, because this class does not prevent two writers from writing at the
 * same time.
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

    /** While this state bit is set, {@link #enter} returns false to every new reader. */
    private static final int INVALID = 1 << 30;
    /**
     * The state bit that makes new readers wait in {@link #enter} until the writer calls {@link #open}. New readers wait
     * only briefly. The writer waits for the present readers, and each present reader copies only a few packets.
     */
    private static final int CHANGING = 1 << 29;

    private static final int SHUT = INVALID | CHANGING;
    private static final int SPINS = 200;

    @SuppressWarnings("UnusedVariable") // Reached through its handle.
    private int word = INVALID;

    ReaderCount() {}

    /**
     * Adds the calling thread to the readers. If a writer is changing the guarded data, runs a callback ({@code beforeWaiting})
     * and then waits for the end of the change. Returns false after {@link #refuse}.
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

    /** Makes later {@link #enter} calls return false. Threads that have entered may read until they call {@link #leave}. */
    final void refuse() {
        WORD.getAndBitwiseOr(this, INVALID);
    }

    /**
     * Makes later calls of {@link #enter} wait until the writer calls {@link #open}. Threads that have entered may read
     * until they call {@link #leave}.
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
     * Waits between two reads of the state word. After {@code SPINS} turns, this method calls {@link Thread#yield},
     * because the operating system may have descheduled the awaited thread.
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
