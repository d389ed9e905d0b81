// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/** The search for a library uses these functions of the operating system. */
public interface LibraryLoader {
    /**
     * Loads a library from the path of a file, or by a soname that dlopen looks up. The library stays loaded until the
     * process ends. Throws {@link IllegalArgumentException} if the library cannot be loaded, and
     * {@link IllegalCallerException} if native access is not enabled for this module.
     */
    SymbolLookup load(String place);

    boolean exists(String path);

    /** Returns the path of a loaded library with its full version, if the operating system reports the path. */
    Optional<String> fileOf(String soname);
}
