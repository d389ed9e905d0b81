package dev.verbena.sim.udp;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Sets options of Linux's UDP sockets that Java does not know ({@code <linux/udp.h>}). Java does not tell the descriptor of
 * a channel either; it is found among those of this process by the address that it is bound to, which no other socket has.
 */
final class NativeSocketOptions {
    /** {@code UDP_NO_CHECK6_TX}: sends datagrams over IPv6 without a checksum. */
    static final int NO_CHECK6_TX = 101;

    /** {@code UDP_NO_CHECK6_RX}: takes datagrams over IPv6 without a checksum. */
    static final int NO_CHECK6_RX = 102;

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int SOL_SOCKET = 1;
    private static final int SO_TYPE = 3;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_UDP = 17;
    private static final int AF_INET6 = 10;

    /** {@code struct sockaddr_in6}: family, port, flow information, address, scope. */
    private static final int SOCKADDR_LENGTH = 28;

    private static final int PORT_OFFSET = 2;
    private static final int ADDRESS_OFFSET = 8;
    private static final int ADDRESS_LENGTH = 16;
    private static final ValueLayout.OfShort FAMILY = ValueLayout.JAVA_SHORT;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private NativeSocketOptions() {}

    /** Why options cannot be set here, if they cannot. */
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
     * Sets an option of the socket that is bound to an address.
     *
     * @throws IOException if it cannot be set; the message says why
     */
    static void enable(InetSocketAddress bound, int option) throws IOException {
        Optional<String> reason = unavailable();
        if (reason.isPresent()) {
            throw new IOException(reason.get());
        }
        try (Arena arena = Arena.ofConfined();
                DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            Calls calls = new Calls(arena);
            for (Path descriptor : descriptors) {
                int number = Integer.parseInt(descriptor.getFileName().toString());
                if (calls.isBoundTo(number, bound)) {
                    calls.enable(number, option);
                    return;
                }
            }
            throw new IOException("no descriptor of this process is bound to " + bound);
        }
    }

    /** The functions of the C library, with a scratch area. */
    private static final class Calls {
        private final MemorySegment address;
        private final MemorySegment length;
        private final MemorySegment value;
        private final MethodHandle getsockname;
        private final MethodHandle getsockopt;
        private final MethodHandle setsockopt;

        @SuppressWarnings("restricted") // The one place, see the package.
        Calls(Arena arena) {
            Linker linker = Linker.nativeLinker();
            SymbolLookup library = linker.defaultLookup();
            AddressLayout pointer = ValueLayout.ADDRESS;
            address = arena.allocate(SOCKADDR_LENGTH, Long.BYTES);
            length = arena.allocate(INT);
            value = arena.allocate(INT);
            getsockname = linker.downcallHandle(
                    library.findOrThrow("getsockname"), FunctionDescriptor.of(INT, INT, pointer, pointer));
            getsockopt = linker.downcallHandle(
                    library.findOrThrow("getsockopt"), FunctionDescriptor.of(INT, INT, INT, INT, pointer, pointer));
            setsockopt = linker.downcallHandle(
                    library.findOrThrow("setsockopt"), FunctionDescriptor.of(INT, INT, INT, INT, pointer, INT));
        }

        boolean isBoundTo(int descriptor, InetSocketAddress wanted) {
            length.set(INT, 0, (int) INT.byteSize());
            if (call(getsockopt, descriptor, SOL_SOCKET, SO_TYPE, value, length) != 0
                    || value.get(INT, 0) != SOCK_DGRAM) {
                return false;
            }
            length.set(INT, 0, SOCKADDR_LENGTH);
            return call(getsockname, descriptor, address, length) == 0
                    && address.get(FAMILY, 0) == AF_INET6
                    && Short.toUnsignedInt(address.get(PORT, PORT_OFFSET)) == wanted.getPort()
                    && Arrays.equals(
                            address.asSlice(ADDRESS_OFFSET, ADDRESS_LENGTH).toArray(ValueLayout.JAVA_BYTE),
                            wanted.getAddress().getAddress());
        }

        void enable(int descriptor, int option) throws IOException {
            value.set(INT, 0, 1);
            if (call(setsockopt, descriptor, SOL_UDP, option, value, (int) INT.byteSize()) != 0) {
                throw new IOException("this Linux refuses the option; it came with Linux 3.16");
            }
        }

        private static int call(MethodHandle function, Object... arguments) {
            try {
                return (int) function.invokeWithArguments(arguments);
            } catch (Throwable e) {
                throw new IllegalStateException("a function of the C library cannot be called", e);
            }
        }
    }
}
