// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.io.Serial;

/** Reports that this machine cannot use a native library. Without libibverbs, the provider is {@code Unavailable}. */
public final class NativeLibraryException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String cure;

    public NativeLibraryException(String reason, String cure) {
        super(reason);
        this.cure = cure;
    }

    /** Returns the missing library or function, and the places that were searched. */
    public String reason() {
        return String.valueOf(getMessage());
    }

    public String cure() {
        return cure;
    }
}
