// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Executes the steps of a cleanup, even if a step fails. If a step fails with EIO, the error is ignored, because the device
 * has failed or was removed.
 */
public final class Cleanup {

    @FunctionalInterface
    public interface Step {
        void run() throws VerbsException;
    }

    private final @Nullable Throwable cause;
    private @Nullable Throwable failure;

    public Cleanup(@Nullable Throwable cause) {
        this.cause = cause;
    }

    /** Executes a cleanup step that destroys an object. Returns whether the object is destroyed. */
    public boolean step(Step step) {
        try {
            step.run();
            return true;
        } catch (VerbsException e) {
            boolean gone = e.errno() == Errno.EIO;
            if (!gone) {
                note(e);
            }
            return gone;
        } catch (RuntimeException | Error e) {
            note(e);
            return false;
        }
    }

    /** Records an exception that the caller has caught from a cleanup step. */
    public void note(Throwable thrown) {
        if (cause != null) {
            cause.addSuppressed(thrown);
        } else if (failure == null) {
            failure = thrown;
        } else {
            failure.addSuppressed(thrown);
        }
    }

    /**
     * Throws the first exception that a cleanup step threw. Later exceptions are added to the first exception as
     * suppressed ones. No cleanup step may throw {@link VerbsException}.
     */
    public void endUnchecked() {
        try {
            end();
        } catch (VerbsException e) {
            throw new IllegalStateException("a step threw a checked exception", e);
        }
    }

    /**
     * Throws the first exception that a cleanup step threw. If the constructor got a cause, {@link #note} adds each
     * exception to this cause as a suppressed one. With a cause, {@code end} throws nothing.
     */
    public void end() throws VerbsException {
        switch (failure) {
            case null -> {}
            case VerbsException refused -> throw refused;
            case Error error -> throw error;
            case RuntimeException thrown -> throw thrown;
            default -> throw new IllegalStateException(failure);
        }
    }
}
