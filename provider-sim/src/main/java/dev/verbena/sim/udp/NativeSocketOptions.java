// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Sets options of Linux's UDP sockets that Java does not support (see {@code linux/udp.h}). Java does not provide the
 * file descriptor of a {@code DatagramChannel}. This class finds a socket's file descriptor by the bound address, which
 * no other socket of the process has.
 */
final class NativeSocketOptions {
    /** {@code UDP_NO_CHECK6_TX} sends datagrams over IPv6 without a checksum. */
    static final int NO_CHECK6_TX = 101;

    /** {@code UDP_NO_CHECK6_RX} accepts datagrams over IPv6 without a checksum. */
    static final int NO_CHECK6_RX = 102;

    /** With {@code UDP_SEGMENT}, one call sends a buffer that the kernel splits into datagrams of one length (GSO). */
    static final int SEGMENT = 103;

    /** With {@code UDP_GRO}, one call receives several datagrams of one length, which the kernel has merged. */
    static final int GRO = 104;

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int SOCK_DGRAM = 2;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private NativeSocketOptions() {}

    /** Returns the reason why native calls do not work (not on Linux, or native access is not enabled), or empty. */
    static Optional<String> unavailable() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
            return Optional.of("only Linux has the option");
        }
        if (!NativeSocketOptions.class.getModule().isNativeAccessEnabled()) {
            return Optional.of("native access is not enabled; start java with --enable-native-access=ALL-UNNAMED");
        }
        return Optional.empty();
    }

    /**
     * Finds the socket with the given bound address, and enables an option of this socket.
     *
     * @throws IOException if the socket option cannot be set; the message of the exception contains the reason
     */
    static void enable(InetSocketAddress bound, int option) throws IOException {
        enable(descriptorOf(bound), option);
    }

    static void enable(int descriptor, int option) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(INT, 1);
            if (SocketCalls.setsockopt(descriptor, SocketCalls.SOL_UDP, option, value, (int) INT.byteSize()) != 0) {
                throw new IOException("the kernel refuses the socket option, which needs at least Linux "
                        + (option >= SEGMENT ? "4.18 or 5.0" : "3.16"));
            }
        }
    }

    /** Returns whether this Linux supports a socket option. */
    static boolean knows(int descriptor, int option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(INT);
            MemorySegment length = arena.allocateFrom(INT, (int) INT.byteSize());
            return SocketCalls.getsockopt(descriptor, SocketCalls.SOL_UDP, option, value, length) == 0;
        }
    }

    /**
     * Finds the descriptor of the socket that is bound to an address. The descriptor is valid until the socket is closed.
     *
     * @throws IOException if the socket's file descriptor cannot be found; the exception message has the reason
     */
    static int descriptorOf(InetSocketAddress bound) throws IOException {
        Optional<String> reason = unavailable();
        if (reason.isPresent()) {
            throw new IOException(reason.get());
        }
        try (Arena arena = Arena.ofConfined();
                DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            MemorySegment address = arena.allocate(SocketAddresses.LENGTH, Long.BYTES);
            MemorySegment value = arena.allocate(INT);
            MemorySegment length = arena.allocate(INT);
            for (Path descriptor : descriptors) {
                int number = Integer.parseInt(descriptor.getFileName().toString());
                length.set(INT, 0, (int) INT.byteSize());
                if (SocketCalls.getsockopt(number, SocketCalls.SOL_SOCKET, SocketCalls.SO_TYPE, value, length) != 0
                        || value.get(INT, 0) != SOCK_DGRAM) {
                    continue;
                }
                length.set(INT, 0, SocketAddresses.LENGTH);
                if (SocketCalls.getsockname(number, address, length) == 0 && SocketAddresses.equal(address, bound)) {
                    return number;
                }
            }
            throw new IOException("no descriptor of this process is bound to " + bound);
        }
    }
}
