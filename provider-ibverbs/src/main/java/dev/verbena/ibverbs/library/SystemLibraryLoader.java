// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

public final class SystemLibraryLoader implements LibraryLoader {
    private static final Path MAPS = Path.of("/proc/self/maps");

    /** The number of fields in a line of {@code /proc/PID/maps}; the last field is the path. */
    private static final int FIELDS = 6;

    @Override
    @SuppressWarnings("restricted") // Loading runs the library's initialisers.
    public SymbolLookup load(String place) {
        // A loaded library starts threads and installs handlers. The global arena never unloads the library.
        return place.indexOf('/') < 0
                ? SymbolLookup.libraryLookup(place, Arena.global())
                : SymbolLookup.libraryLookup(Path.of(place), Arena.global());
    }

    @Override
    public boolean exists(String path) {
        return Files.exists(Path.of(path));
    }

    @Override
    public Optional<String> fileOf(String soname) {
        try (Stream<String> lines = Files.lines(MAPS, StandardCharsets.ISO_8859_1)) {
            return fileOf(lines, soname);
        } catch (IOException | UncheckedIOException unreadable) {
            return Optional.empty(); // If the path is unknown, error messages contain the library's name.
        }
    }

    /** Finds the path of a library in the lines of {@code /proc/PID/maps} (proc(5)). */
    static Optional<String> fileOf(Stream<String> maps, String soname) {
        return maps.map(line -> line.split("\\s+", FIELDS))
                .filter(fields -> fields.length == FIELDS)
                .map(fields -> fields[FIELDS - 1])
                .filter(path -> path.startsWith("/"))
                .filter(path -> path.startsWith(soname, path.lastIndexOf('/') + 1))
                .findFirst();
    }
}
