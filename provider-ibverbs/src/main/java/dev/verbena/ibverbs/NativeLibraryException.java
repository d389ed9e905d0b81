package dev.verbena.ibverbs;

import java.io.Serial;

/** A native library cannot be used on this machine; becomes {@link dev.verbena.verbs.Availability.Unavailable}. */
final class NativeLibraryException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String cure;

    NativeLibraryException(String reason, String cure) {
        super(reason);
        this.cure = cure;
    }

    /** The missing library or function, and where the search looked for it. */
    String reason() {
        return String.valueOf(getMessage());
    }

    /** The cure. */
    String cure() {
        return cure;
    }
}
