// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.VerbsException;

/** Undoes the first steps of a creation if a later step fails, so that a failed creation leaks no C object. */
public final class Undo {
    private Undo() {}

    @FunctionalInterface
    public interface Step {
        void run() throws VerbsException;
    }

    /** Creates one C object, such as a {@code struct ibv_cq}. A new verbs object may consist of several C objects. */
    @FunctionalInterface
    public interface Making<T> {
        T make() throws VerbsException;
    }

    /**
     * Runs {@code step}, which creates an object. If {@code step} throws an exception, this method runs {@code undo}
     * and throws the same exception.
     */
    public static <T> T unlessMade(Making<T> step, Step undo) throws VerbsException {
        try {
            return step.make();
        } catch (VerbsException | RuntimeException | Error failed) {
            undo(undo, failed);
            throw failed;
        }
    }

    /**
     * Runs {@code step}. If {@code step} fails, this method runs {@code undo} and then throws the exception of {@code
     * step}. If {@code undo} also fails, its exception is added as a suppressed exception.
     */
    public static void onFailure(Step step, Step undo) throws VerbsException {
        try {
            step.run();
        } catch (VerbsException | RuntimeException | Error failed) {
            undo(undo, failed);
            throw failed;
        }
    }

    private static void undo(Step undo, Throwable failed) {
        try {
            undo.run();
        } catch (VerbsException | RuntimeException refused) {
            failed.addSuppressed(refused);
        }
    }
}
