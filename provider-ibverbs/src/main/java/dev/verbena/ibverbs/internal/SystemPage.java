// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The page size of this machine (getpagesize(2)). */
public final class SystemPage {
    private static final long USUAL = 4096;
    private static final long SIZE = ask();

    private SystemPage() {}

    /** Returns the page size in bytes, or 4096 if the C library has no {@code getpagesize}. */
    public static long size() {
        return SIZE;
    }

    @SuppressWarnings("restricted") // The signature is that of getpagesize(2).
    private static long ask() {
        @Nullable MemorySegment function =
                Linker.nativeLinker().defaultLookup().find("getpagesize").orElse(null);
        if (function == null) {
            return USUAL;
        }
        try {
            return (int) Linker.nativeLinker()
                    .downcallHandle(function, FunctionDescriptor.of(JAVA_INT))
                    .invokeExact();
        } catch (Throwable thrown) {
            throw new IllegalStateException("getpagesize(2) could not be called", thrown);
        }
    }
}
