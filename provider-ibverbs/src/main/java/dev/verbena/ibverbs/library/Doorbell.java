// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a user-space driver notifies its device of new work requests. Most user-space drivers write to a doorbell register
 * (MMIO); this write takes much less than a microsecond. If a device has no doorbell register, its user-space driver makes
 * a system call, in which the kernel may execute the work requests. This enum identifies a driver by the file name of the
 * driver's shared library.
 */
public enum Doorbell {
    /** In a post, the user-space driver writes to a doorbell register (MMIO), and does not wait for the requests. */
    REGISTER,
    /** A post makes a system call, in which the kernel may execute the requests. A poll makes no system call. */
    SYSTEM_CALL,
    /** A user-space driver with an unknown file name. A post or poll of this driver may wait, for example for a lock. */
    UNKNOWN;

    /**
     * The system property that lists further user-space drivers with a doorbell register ({@link #REGISTER}), as prefixes
     * of their file names, separated by commas, such as {@code libcard}.
     */
    static final String PROPERTY = "verbena.ibverbs.register-drivers";

    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final List<String> BY_SYSTEM_CALL = List.of("librxe", "libsiw", "libhfi1verbs", "libipathverbs");
    private static final List<String> BY_REGISTER = List.of(
            "libbnxt_re",
            "libcxgb4",
            "libefa",
            "liberdma",
            "libhns",
            "libirdma",
            "libmana",
            "libmlx4",
            "libmlx5",
            "libmthca",
            "libocrdma",
            "libqedr",
            "libvmw_pvrdma");
    private static final int HEX = 16;

    /**
     * Finds the driver whose shared library contains the function, and returns how this driver rings the doorbell of
     * its device. Mapped files may have names in any encoding.
     */
    static Doorbell of(MemorySegment function) {
        return of(function.address(), MAPS);
    }

    /** Like {@link #of(MemorySegment)}, but reads mappings from a file in the format of {@code /proc/self/maps}. */
    static Doorbell of(long function, Path file) {
        try (Stream<String> maps = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return of(function, maps);
        } catch (IOException | UncheckedIOException unreadable) {
            return UNKNOWN;
        }
    }

    /**
     * Does the same as {@link #of(MemorySegment)}. Each line of {@code /proc/self/maps} contains the address range, the
     * access rights, the offset, the device, the inode and, optionally, the mapped file.
     */
    static Doorbell of(long function, Stream<String> maps) {
        return maps.map(line -> line.strip().split("\\s+", 6))
                .filter(fields -> fields.length == 6 && isIn(fields[0], function))
                .map(fields -> ofFile(fields[5].substring(fields[5].lastIndexOf('/') + 1)))
                .findFirst()
                .orElse(UNKNOWN);
    }

    private static boolean isIn(String range, long address) {
        int dash = range.indexOf('-');
        return Long.compareUnsigned(address, Long.parseUnsignedLong(range.substring(0, dash), HEX)) >= 0
                && Long.compareUnsigned(address, Long.parseUnsignedLong(range.substring(dash + 1), HEX)) < 0;
    }

    private static Doorbell ofFile(String name) {
        if (BY_SYSTEM_CALL.stream().anyMatch(name::startsWith)) {
            return SYSTEM_CALL;
        }
        Stream<String> more =
                Stream.of(System.getProperty(PROPERTY, "").split(",")).filter(each -> !each.isEmpty());
        return Stream.concat(BY_REGISTER.stream(), more).anyMatch(name::startsWith) ? REGISTER : UNKNOWN;
    }
}
