package dev.verbena.lnd;

import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Takes the steps of closing something, each of them whether or not the one before succeeded. */
final class Cleanup {

    /** One step. */
    @FunctionalInterface
    interface Step {
        void run() throws VerbsException;
    }

    private @Nullable VerbsException failure;

    /** Starts with nothing gone wrong, or with what made the closing necessary. */
    Cleanup(@Nullable VerbsException cause) {
        failure = cause;
    }

    void step(Step step) {
        try {
            step.run();
        } catch (VerbsException e) {
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
    }

    /** Reports the first failure, with the others attached. */
    void end() throws VerbsException {
        if (failure != null) {
            throw failure;
        }
    }
}
