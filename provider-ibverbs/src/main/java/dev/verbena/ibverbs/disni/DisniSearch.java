// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.RdmaProvider;
import dev.verbena.verbs.Availability;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Searches for {@code libdisni} in the JVM's library directories, and reports which directories were searched. Without
 * libdisni, the classes of DiSNI fail to load, and the JVM reports the cause only for the first such failure. {@code
 * DisniSearch} loads the classes of DiSNI only after it has found libdisni.
 */
final class DisniSearch {
    private static final String OTHER_PROVIDER =
            "; or use the provider 'ibverbs', which needs libibverbs alone, or 'sim', which needs nothing";
    private static final String BUILD =
            "build libdisni from the sources of DiSNI 2.1 and name its directory in LD_LIBRARY_PATH or -Djava.library.path";
    private static final String EXPORT = "start java with --add-exports java.base/sun.nio.ch=ALL-UNNAMED";

    private final String file;
    private final List<Path> directories;
    private final Predicate<Path> exists;
    private final Loader loader;

    @FunctionalInterface
    interface Loader {
        DisniLibrary load(String location) throws IOException;
    }

    DisniSearch(String file, String libraryPath, Predicate<Path> exists, Loader loader) {
        this.file = file;
        directories = Arrays.stream(libraryPath.split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(Path::of)
                .distinct()
                .toList();
        this.exists = exists;
        this.loader = loader;
    }

    static DisniSearch ofThisSystem() {
        return new DisniSearch(
                System.mapLibraryName("disni"),
                System.getProperty("java.library.path", ""),
                Files::exists,
                DisniSearch::load);
    }

    private static DisniLibrary load(String location) throws IOException {
        // If the JVM does not export `sun.nio.ch` to DiSNI, the call of `getAddress` throws an exception.
        MemoryUtils.getAddress(ByteBuffer.allocateDirect(1));
        RdmaProvider provider = RdmaProvider.provider();
        return new DisniLibrary(location, provider.openCm(), provider.openVerbs());
    }

    DisniProvider.Result search() {
        Optional<Path> found = directories.stream()
                .map(directory -> directory.resolve(file))
                .filter(exists)
                .findFirst();
        if (found.isEmpty()) {
            return unavailable(
                    file + " is in none of the directories of java.library.path: "
                            + directories.stream().map(Path::toString).collect(Collectors.joining(", ")),
                    BUILD);
        }
        String location = found.get().toString();
        try {
            return new DisniProvider.Result(new Availability.Available(location), Optional.of(loader.load(location)));
        } catch (IOException differs) {
            return unavailable(location + " is not compatible with DiSNI 2.1: " + differs.getMessage(), BUILD);
        } catch (IllegalAccessError closed) {
            return unavailable(
                    "DiSNI cannot read the addresses of buffers: this JVM does not export sun.nio.ch", EXPORT);
        } catch (IllegalCallerException denied) {
            return unavailable(
                    "this JVM refuses native calls to DiSNI (" + denied.getMessage() + ")",
                    "start java with --enable-native-access=ALL-UNNAMED");
        } catch (NoClassDefFoundError missing) {
            return unavailable(
                    location + " was found, but the class " + missing.getMessage() + " was not",
                    "add com.ibm.disni:disni:2.1 and org.slf4j:slf4j-api to the class path");
        } catch (RuntimeException | LinkageError failure) {
            return unavailable(location + " cannot be loaded: " + failure.getMessage(), BUILD);
        }
    }

    private static DisniProvider.Result unavailable(String reason, String cure) {
        return new DisniProvider.Result(new Availability.Unavailable(reason, cure + OTHER_PROVIDER), Optional.empty());
    }
}
