// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.io.Serial;

/** Reports that this JVM cannot use a native library. Without libibverbs, the provider is {@code Unavailable}. */
public final class NativeLibraryException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String cure;

    public NativeLibraryException(String reason, String cure) {
        super(reason);
        this.cure = cure;
    }

    /** Returns why the library cannot be used: for example the missing function, or the paths that were tried. */
    public String reason() {
        return String.valueOf(getMessage());
    }

    public String cure() {
        return cure;
    }
}
