// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Searches for a shared library of rdma-core in the directories of Linux distributions, and reports the paths that were
 * tried. On other operating systems than Linux, the search finds no library, because this provider uses the structures and
 * error numbers of Linux.
 */
public final class LibrarySearch {
    /** The hint to use another provider, at the end of each error message. */
    static final String OTHER_PROVIDER = "; or use the provider 'sim', which needs no library and no hardware";

    private static final String NOT_BY_NAME = ", which is missing or broken in LD_LIBRARY_PATH and the default paths";
    private static final String BROKEN_FILE = ", which exists but is for another architecture or lacks a dependency: ";

    private final String osName;
    private final String osArch;
    private final LibraryLoader loader;

    /**
     * Creates a search for libraries of the operating system {@code osName} and the architecture {@code osArch}. The
     * constructor loads no library.
     */
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
     * Loads a library. The {@code soname}, such as {@code libibverbs.so.1}, includes the version of the library's ABI.
     * Throws {@link NativeLibraryException} if the library was not found. The exception's {@code reason} lists all paths
     * that were tried, and its {@code cure} lists the packages to install.
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
                        isFile ? place + BROKEN_FILE + "`ldd " + place + "` lists" : "the name alone" + NOT_BY_NAME);
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
     * Returns the arguments for {@code dlopen} to try. The first argument is a soname without a directory. For a soname,
     * {@code dlopen} searches LD_LIBRARY_PATH and the cache of ld.so. Other arguments are paths in the usual directories.
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

    /** Returns the name of the architecture's directory in Debian, or an empty string if Debian has none. */
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

    /** Returns the module name for the option {@code --enable-native-access}, or ALL-UNNAMED on the class path. */
    private static String moduleName() {
        Module module = LibrarySearch.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }
}
