// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Searches for a shared library of rdma-core in the directories of Linux distributions, and reports the searched
 * places. On any other operating system the search fails, because the structures and error numbers of this provider are
 * those of Linux.
 */
public final class LibrarySearch {
    /** The last words of each remedy in a message. */
    static final String OTHER_PROVIDER = "; or use the provider 'sim', which needs no library and no hardware";

    private static final String NOT_BY_NAME = ", which LD_LIBRARY_PATH and the loader's own places lack or cannot load";
    private static final String BROKEN_FILE =
            ", which is there but is for another architecture or lacks a library that it needs itself: ";

    private final String osName;
    private final String osArch;
    private final LibraryLoader loader;

    /** Prepares a search for the system properties {@code os.name} and {@code os.arch}. No library is loaded. */
    LibrarySearch(String osName, String osArch, LibraryLoader loader) {
        this.osName = osName;
        this.osArch = osArch;
        this.loader = loader;
    }

    public static LibrarySearch ofThisSystem() {
        return new LibrarySearch(
                System.getProperty("os.name", ""), System.getProperty("os.arch", ""), new SystemLibraryLoader());
    }

    /**
     * Loads a library. {@code soname} includes the version of its binary interface, such as {@code libibverbs.so.1};
     * {@code packages} are the packages that contain the library, for the remedy. Throws {@link NativeLibraryException}
     * if the library was not found, with every searched place.
     */
    public NativeLibrary find(String soname, String packages) throws NativeLibraryException {
        if (!osName.toLowerCase(Locale.ROOT).equals("linux")) {
            throw new NativeLibraryException(
                    soname + " is a library of Linux, and this is " + osName + " on " + osArch,
                    "run on Linux with an RDMA device" + OTHER_PROVIDER);
        }
        List<String> refused = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        for (String place : places(soname)) {
            boolean isFile = !place.equals(soname);
            if (isFile && !loader.exists(place)) {
                absent.add(place);
                continue;
            }
            try {
                SymbolLookup symbols = loader.load(place);
                return new NativeLibrary(loader.fileOf(soname).orElse(place), symbols);
            } catch (IllegalArgumentException notLoaded) {
                refused.add(
                        isFile ? place + BROKEN_FILE + "`ldd " + place + "` tells" : "the name alone" + NOT_BY_NAME);
            } catch (IllegalCallerException denied) {
                throw new NativeLibraryException(
                        "this JVM refuses native calls to " + moduleName() + " (" + denied.getMessage() + ")",
                        "start java with --enable-native-access=" + moduleName() + OTHER_PROVIDER);
            }
        }
        String files = absent.isEmpty() ? "" : "; these files do not exist: " + String.join(", ", absent);
        throw new NativeLibraryException(
                soname + " cannot be loaded; tried " + String.join("; ", refused) + files,
                "install " + packages + ", or name its directory in LD_LIBRARY_PATH" + OTHER_PROVIDER);
    }

    /**
     * Returns the places to try. The first place is the soname alone, because {@code dlopen} searches its cache and
     * LD_LIBRARY_PATH; the usual directories follow.
     */
    private List<String> places(String soname) {
        List<String> places = new ArrayList<>();
        places.add(soname);
        String triplet = multiarchTriplet();
        if (!triplet.isEmpty()) {
            places.add("/usr/lib/" + triplet + "/" + soname);
            places.add("/lib/" + triplet + "/" + soname);
        }
        for (String directory :
                List.of("/usr/lib64", "/lib64", "/usr/lib", "/lib", "/usr/local/lib64", "/usr/local/lib")) {
            places.add(directory + "/" + soname);
        }
        return places;
    }

    /** Returns Debian's name for the directory of an architecture, or an empty string if Debian has none. */
    private String multiarchTriplet() {
        return switch (osArch) {
            case "amd64", "x86_64" -> "x86_64-linux-gnu";
            case "aarch64" -> "aarch64-linux-gnu";
            case "ppc64le" -> "powerpc64le-linux-gnu";
            case "s390x" -> "s390x-linux-gnu";
            case "riscv64" -> "riscv64-linux-gnu";
            default -> "";
        };
    }

    /** Returns the name of this module for {@code --enable-native-access}, or ALL-UNNAMED on the class path. */
    private static String moduleName() {
        Module module = LibrarySearch.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }
}
