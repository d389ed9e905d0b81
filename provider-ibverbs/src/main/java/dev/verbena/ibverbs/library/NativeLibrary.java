// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/**
 * A shared library that is loaded and stays loaded.
 *
 * @param location its file if the system reports it, otherwise the name by which it was found
 * @param symbols its exported symbols
 */
public record NativeLibrary(String location, SymbolLookup symbols) {
    /** The first rdma-core with all that is called: it brought {@code _ibv_query_gid_table} (IBVERBS_1.11). */
    private static final int OLDEST = 32;

    /**
     * Finds a function; of several symbol versions the default one, with which a present C program is linked.
     *
     * @throws NativeLibraryException if the library does not export it
     */
    MemorySegment function(String name) throws NativeLibraryException {
        return symbols.find(name)
                .orElseThrow(() -> new NativeLibraryException(
                        location + " does not export " + name + ", so it is too old, or not the library of that name",
                        "install rdma-core " + OLDEST + " or newer; if the file is not from your distribution, remove "
                                + "it from LD_LIBRARY_PATH" + LibrarySearch.OTHER_PROVIDER));
    }
}
