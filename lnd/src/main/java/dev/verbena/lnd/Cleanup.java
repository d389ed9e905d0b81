// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of closing something, each of them whether or not the one before succeeded. A step that ends in EIO counts as done:
 * the device is gone, and the object with it.
 */
final class Cleanup {

    /** One step. */
    @FunctionalInterface
    interface Step {
        void run() throws VerbsException;
    }

    private final @Nullable Throwable cause;
    private @Nullable Throwable failure;

    /** Starts without a failure, or with the failure that made the closing necessary. */
    Cleanup(@Nullable Throwable cause) {
        this.cause = cause;
    }

    void step(Step step) {
        try {
            step.run();
        } catch (VerbsException e) {
            if (e.errno() != Errno.EIO) {
                note(e);
            }
        } catch (RuntimeException | Error e) {
            note(e);
        }
    }

    private void note(Throwable thrown) {
        if (cause != null) {
            cause.addSuppressed(thrown);
        } else if (failure == null) {
            failure = thrown;
        } else {
            failure.addSuppressed(thrown);
        }
    }

    /** Throws the first failure with the later ones attached, if no step can throw a {@link VerbsException}. */
    void endUnchecked() {
        try {
            end();
        } catch (VerbsException e) {
            throw new IllegalStateException("a step threw a checked exception", e);
        }
    }

    /** Reports the first failure with the later ones attached, unless there was a cause, to which all are attached. */
    void end() throws VerbsException {
        switch (failure) {
            case null -> {}
            case VerbsException refused -> throw refused;
            case Error error -> throw error;
            case RuntimeException thrown -> throw thrown;
            default -> throw new IllegalStateException(failure);
        }
    }
}
