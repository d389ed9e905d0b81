// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/** The functions of the system that the search for a library needs. */
public interface LibraryLoader {
    /**
     * Loads a library until the end of the process. {@code place} is the path of a file, or a soname for which
     * {@code dlopen} searches. Throws {@link IllegalArgumentException} if the library cannot be loaded, and
     * {@link IllegalCallerException} if this module may not make native calls.
     */
    SymbolLookup load(String place);

    boolean exists(String path);

    /** Returns the file of a loaded library, with the versions after its soname, if the system reports the file. */
    Optional<String> fileOf(String soname);
}
