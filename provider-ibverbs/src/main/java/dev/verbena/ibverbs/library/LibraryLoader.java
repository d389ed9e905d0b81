// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/** The functions of the system that the search for a library needs. */
public interface LibraryLoader {
    /**
     * Loads a library until the end of the process.
     *
     * @param place a soname, which is searched for as {@code dlopen} does, or the path of a file
     * @throws IllegalArgumentException if it cannot be loaded
     * @throws IllegalCallerException if this module may not make native calls
     */
    SymbolLookup load(String place);

    /** Returns whether a file exists. */
    boolean exists(String path);

    /** Returns the file of a loaded library, with the versions after its soname, if the system reports it. */
    Optional<String> fileOf(String soname);
}
