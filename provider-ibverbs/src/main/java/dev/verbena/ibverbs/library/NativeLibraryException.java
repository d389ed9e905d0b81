// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.io.Serial;

/** A native library cannot be used on this machine; becomes {@link dev.verbena.verbs.Availability.Unavailable}. */
public final class NativeLibraryException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String cure;

    public NativeLibraryException(String reason, String cure) {
        super(reason);
        this.cure = cure;
    }

    /** The missing library or function, and where the search looked for it. */
    public String reason() {
        return String.valueOf(getMessage());
    }

    /** The cure. */
    public String cure() {
        return cure;
    }
}
