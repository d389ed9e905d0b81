// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.NodeType;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The kernel's sysfs files about RDMA devices ({@code sysfs-class-infiniband} in the kernel's documentation). Each call
 * reads the files again; a missing or unreadable file counts as empty.
 */
final class DeviceFiles {
    private static final String CLASS = "sys/class/infiniband";

    private final Path root;
    private final InterfaceAddresses interfaces;

    /**
     * Reads files below the directory {@code root}, and gets the IP addresses of network interfaces from
     * {@code interfaces}.
     */
    DeviceFiles(Path root, InterfaceAddresses interfaces) {
        this.root = root;
        this.interfaces = interfaces;
    }

    /** Returns the devices in the order of their names. */
    List<DeviceInfo> devices() {
        return names(root.resolve(CLASS)).stream()
                .map(name -> new DeviceInfo(name, guid(name, "node_guid"), nodeType(text(name, "node_type"))))
                .toList();
    }

    boolean has(String device) {
        return names(root.resolve(CLASS)).contains(device);
    }

    /** Returns the text of a device's sysfs file without the line end, or empty if the file cannot be read. */
    String text(String device, String file) {
        return read(root.resolve(CLASS).resolve(device).resolve(file));
    }

    List<String> list(String device, String directory) {
        return names(root.resolve(CLASS).resolve(device).resolve(directory));
    }

    Guid guid(String device, String file) {
        try {
            return Guid.parse(text(device, file));
        } catch (IllegalArgumentException unreadable) {
            return new Guid(0);
        }
    }

    int ports(String device) {
        return Math.max(1, list(device, "ports").size());
    }

    /** Parses a number, optionally followed by a colon and a name. A number with the prefix 0x is hexadecimal. */
    static int number(String text, int otherwise) {
        try {
            return Integer.decode(text.split(":", -1)[0].strip());
        } catch (NumberFormatException unreadable) {
            return otherwise;
        }
    }

    private static NodeType nodeType(String text) {
        int code = number(text, NodeType.UNKNOWN.code());
        return Arrays.stream(NodeType.values())
                .filter(type -> type.code() == code)
                .findFirst()
                .orElse(NodeType.UNKNOWN);
    }

    /** Returns the MTU of a network interface, or 0 if it is unknown. */
    int interfaceMtu(String networkInterface) {
        return networkInterface.isEmpty()
                ? 0
                : number(
                        read(root.resolve("sys/class/net")
                                .resolve(networkInterface)
                                .resolve("mtu")),
                        0);
    }

    Map<String, Set<InetAddress>> interfaceAddresses() {
        return interfaces.all();
    }

    /**
     * A device that the kernel currently has. The record stores the device name and the file key of the sysfs directory
     * {@code uverbsN}. If a device is removed and created again with the same name, sysfs creates a new directory.
     */
    record Present(String name, Object directory) {}

    /**
     * Returns the device whose context has opened the given file descriptor. A file descriptor of a context refers to a
     * device file {@code uverbsN}. The file {@code ibdev} in the sysfs directory of {@code uverbsN} contains the device
     * name.
     */
    Optional<Present> deviceOf(int descriptor) {
        try {
            Path file = Files.readSymbolicLink(root.resolve("proc/self/fd/" + descriptor));
            Path directory = root.resolve("sys/class/infiniband_verbs")
                    .resolve(file.getFileName().toString());
            String name = read(directory.resolve("ibdev"));
            Object key =
                    Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
            return name.isEmpty() ? Optional.empty() : Optional.of(new Present(name, key));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    /** Returns an IPv4 address from a RoCE GID of the device or, if there is none, from an IPoIB interface. */
    Optional<InetAddress> addressOf(String device) {
        for (String port : list(device, "ports")) {
            for (String index : list(device, "ports/" + port + "/gids")) {
                Optional<Gid> gid =
                        gid(text(device, "ports/" + port + "/gids/" + index)).filter(Gid::isIpv4);
                if (gid.isPresent()) {
                    return Optional.of(ipv4(gid.get()));
                }
            }
        }
        return interfacesOf(device)
                .flatMap(name -> interfaces.of(name).stream())
                .findFirst()
                .map(InetAddress.class::cast);
    }

    /**
     * Returns the number of the device port that has the given IP address, or 1, the first port, if no port has the IP
     * address.
     */
    int portOf(String device, InetAddress address) {
        Gid wanted = Gid.ofAddress(address);
        for (String port : list(device, "ports")) {
            for (String index : list(device, "ports/" + port + "/gids")) {
                if (gid(text(device, "ports/" + port + "/gids/" + index))
                        .filter(wanted::equals)
                        .isPresent()) {
                    return number(port, 1);
                }
            }
        }
        return interfacesOf(device)
                .filter(name -> address instanceof Inet4Address own
                        && interfaces.of(name).contains(own))
                .map(name -> 1
                        + number(
                                read(root.resolve("sys/class/net").resolve(name).resolve("dev_port")), 0))
                .findFirst()
                .orElse(1);
    }

    private Stream<String> interfacesOf(String device) {
        Path all = root.resolve("sys/class/net");
        return names(all).stream()
                .filter(name -> Files.exists(
                        all.resolve(name).resolve("device/infiniband").resolve(device)));
    }

    private static InetAddress ipv4(Gid gid) {
        try {
            return InetAddress.getByAddress(
                    ByteBuffer.allocate(Integer.BYTES).putInt(gid.ipv4()).array());
        } catch (UnknownHostException impossible) {
            throw new AssertionError("four bytes are always an address", impossible);
        }
    }

    /** Parses a GID from sysfs, and returns empty if the entry of the GID table is not in use. */
    static Optional<Gid> gid(String text) {
        try {
            return Optional.of(Gid.parse(text)).filter(gid -> !gid.equals(Gid.ZERO));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException absent) {
            return "";
        }
    }

    /** Returns the names of the files in a directory, sorted numerically if all names are numbers. */
    private static List<String> names(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .sorted(Comparator.<String>comparingInt(name -> number(name, 0))
                            .thenComparing(name -> name))
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }
}
