package dev.verbena.ibverbs;

import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/** What the search for a library needs of the system. */
interface LibraryLoader {
    /**
     * Loads a library until the end of the process.
     *
     * @param place a soname, which is looked for as {@code dlopen} does, or the path of a file
     * @throws IllegalArgumentException if it cannot be loaded
     * @throws IllegalCallerException if this module may not make native calls
     */
    SymbolLookup load(String place);

    /** Tells whether there is a file. */
    boolean exists(String path);

    /** Returns the file behind a library that is loaded, versions after its soname included, if the system tells. */
    Optional<String> fileOf(String soname);
}
