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

    /** What is missing and where it was looked for. */
    String reason() {
        return String.valueOf(getMessage());
    }

    /** What to do about it. */
    String cure() {
        return cure;
    }
}
