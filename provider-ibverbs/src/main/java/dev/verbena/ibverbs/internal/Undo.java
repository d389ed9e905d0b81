// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.VerbsException;

/** Undoes the first steps of a creation when a later one fails, so that a failed creation leaves no object open. */
public final class Undo {
    private Undo() {}

    /** A step of a creation, or one that undoes another. */
    @FunctionalInterface
    public interface Step {
        /**
         * Does it.
         *
         * @throws VerbsException if it is refused
         */
        void run() throws VerbsException;
    }

    /**
     * A step that makes something.
     *
     * @param <T> the type of the thing made
     */
    @FunctionalInterface
    public interface Making<T> {
        /**
         * Makes it.
         *
         * @return the object that was made
         * @throws VerbsException if it is refused
         */
        T make() throws VerbsException;
    }

    /**
     * Runs a step that makes something.
     *
     * @param <T> the type of the object
     * @param step the step
     * @param undo as for {@link #onFailure}
     * @return the object that the step made
     * @throws VerbsException as the step
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
     * Runs a step.
     *
     * @param step the step
     * @param undo undoes the steps before; runs only if this one fails, and its own failure is suppressed in that of the step
     * @throws VerbsException as the step
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
