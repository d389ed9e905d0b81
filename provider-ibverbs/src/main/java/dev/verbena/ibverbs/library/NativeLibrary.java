// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/**
 * A shared library that stays loaded. {@code location} is the path of the library that the operating system reports or,
 * if it reports none, the name or path under which the library was found.
 */
public record NativeLibrary(String location, SymbolLookup symbols) {
    /** The first rdma-core version with {@code _ibv_query_gid_table}, the newest function that Verbena requires. */
    private static final int OLDEST = 32;

    /**
     * Finds a function. If a function has several symbol versions, the result is the default version, which a newly linked
     * C program uses. Throws {@link NativeLibraryException} if the library does not export a function of the given name.
     */
    MemorySegment function(String name) throws NativeLibraryException {
        return symbols.find(name)
                .orElseThrow(() -> new NativeLibraryException(
                        location + " does not export " + name + ", so it is too old, or not the library of that name",
                        "install rdma-core " + OLDEST + " or newer; if the file is not from your distribution, remove "
                                + "it from LD_LIBRARY_PATH" + LibrarySearch.OTHER_PROVIDER));
    }
}
