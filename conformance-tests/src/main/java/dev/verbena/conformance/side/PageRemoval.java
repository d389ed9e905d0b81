// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.function.Function;

/**
 * Discards the physical pages of memory that contains only zeros. The bytes of the memory remain zero. When discarded
 * pages are accessed again, the kernel maps other pages, so a device must resolve the addresses again.
 */
final class PageRemoval {
    private static final int MADV_DONTNEED = 4;

    private static final Optional<MethodHandle> MADVISE = madvise();

    private PageRemoval() {}

    /**
     * Discards the physical pages that lie completely within a memory segment ({@code MADV_DONTNEED},
     * {@code madvise}(2)). The segment must contain only zeros. On systems other than Linux, and without native access,
     * this method has no effect.
     */
    static void remove(MemorySegment zeros, long pageSize) {
        long from = (zeros.address() + pageSize - 1) & -pageSize;
        long to = (zeros.address() + zeros.byteSize()) & -pageSize;
        if (from < to && MADVISE.isPresent()) {
            try {
                int ignored = (int) MADVISE.get().invokeExact(from, to - from, MADV_DONTNEED);
            } catch (Throwable impossible) {
                throw new AssertionError("a C function throws nothing", impossible);
            }
        }
    }

    @SuppressWarnings("restricted") // The signature is that of madvise(2).
    private static Optional<MethodHandle> madvise() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.empty();
        }
        Function<MemorySegment, MethodHandle> link = function -> Linker.nativeLinker()
                .downcallHandle(
                        function,
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));
        try {
            return Linker.nativeLinker().defaultLookup().find("madvise").map(link);
        } catch (UnsupportedOperationException | IllegalCallerException withoutNativeAccess) {
            return Optional.empty();
        }
    }
}
