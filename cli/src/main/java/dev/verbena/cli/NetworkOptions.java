package dev.verbena.cli;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say over what the devices talk, and where they are. */
final class NetworkOptions {
    /** What carries packets. */
    enum Carrier {
        IN_PROCESS("in-process"),
        UDP("udp");

        private final String word;

        Carrier(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    private static final Duration INITIATOR_PATIENCE = Duration.ofSeconds(30);
    private static final Duration TARGET_PATIENCE = Duration.ofMinutes(10);

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            converter = CarrierConverter.class,
            description = "in-process, or udp: RoCEv2 through sockets of this machine. Default: in-process.")
    private Carrier carrier = Carrier.IN_PROCESS;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            converter = RoleConverter.class,
            description =
                    "Be one node only, the other one in another process: initiator (node A, which has the file) or target"
                            + " (node B, which keeps it). Start the target first.")
    private @Nullable Role role;

    @Option(
            names = "--local",
            paramLabel = "ADDRESS[:PORT]",
            converter = EndpointConverter.class,
            description =
                    "Where this process's device is. Port 4791 unless said, 0 for any that is free. Default: 127.0.0.1:0,"
                            + " of a target 127.0.0.1:4791.")
    private @Nullable InetSocketAddress local;

    @Option(
            names = "--peer",
            paramLabel = "ADDRESS[:PORT]",
            converter = EndpointConverter.class,
            description =
                    "Where the other device is. Default: 127.0.0.1:0, for an initiator 127.0.0.1:4791; a target learns"
                            + " it.")
    private @Nullable InetSocketAddress peer;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "How long to wait for the process with the other role. Default: 30, of a target 600.")
    private @Nullable Integer wait;

    /** What is wrong with the options together, if anything is. */
    Optional<String> complaint(boolean virtual, boolean carriesSomething) {
        if (carrier != Carrier.UDP) {
            return role == null && local == null && peer == null && wait == null
                    ? Optional.empty()
                    : Optional.of("--role, --local, --peer and --wait are for --fabric udp");
        }
        if (wait != null && (role == null || wait < 1)) {
            return Optional.of("--wait is for one of two processes, and at least 1 second; give it with --role");
        }
        if (virtual) {
            return Optional.of("packets over UDP come in wall time; leave out --seed or --fabric udp");
        }
        if (role == Role.TARGET && carriesSomething) {
            return Optional.of("the initiator says what is carried; leave out FILE, --size and --message-size");
        }
        return Optional.empty();
    }

    /** Which node this process is, or null for both. */
    @Nullable Role role() {
        return role;
    }

    /** How long to wait for the other process. */
    Duration patience() {
        return wait != null ? Duration.ofSeconds(wait) : role == Role.TARGET ? TARGET_PATIENCE : INITIATOR_PATIENCE;
    }

    /** Where the devices are; empty if all is in this process. */
    Optional<UdpNetwork> network() {
        return carrier == Carrier.UDP ? Optional.of(UdpNetwork.of(role, local, peer)) : Optional.empty();
    }

    /** Reads options of this type. */
    static final class CarrierConverter implements ITypeConverter<Carrier> {
        @Override
        public Carrier convert(String text) {
            for (Carrier carrier : Carrier.values()) {
                if (carrier.word.equals(text)) {
                    return carrier;
                }
            }
            throw new TypeConversionException("'" + text + "' is no fabric; write in-process or udp");
        }
    }

    /** Reads options of this type. */
    static final class RoleConverter implements ITypeConverter<Role> {
        @Override
        public Role convert(String text) {
            return switch (text) {
                case "initiator" -> Role.INITIATOR;
                case "target" -> Role.TARGET;
                default -> throw new TypeConversionException("'" + text + "' is no role; write initiator or target");
            };
        }
    }

    /** Reads options of this type. */
    static final class EndpointConverter implements ITypeConverter<InetSocketAddress> {
        private static final int MAX_PORT = 65_535;

        @Override
        public InetSocketAddress convert(String text) {
            int colon = text.lastIndexOf(':');
            String host = colon < 0 ? text : text.substring(0, colon);
            return new InetSocketAddress(address(host), colon < 0 ? UdpNetwork.ROCE_PORT : port(text, colon + 1));
        }

        /** Looks no name up: which of its addresses would an interface have? */
        private static InetAddress address(String host) {
            try {
                InetAddress address = Inet4Address.ofLiteral(host);
                if (!address.isAnyLocalAddress()) {
                    return address;
                }
            } catch (IllegalArgumentException e) {
                // Said below.
            }
            throw new TypeConversionException("'" + host
                    + "' is no address of an interface; LNet needs one of IPv4, such as 10.0.0.1 or 10.0.0.1:4791");
        }

        private static int port(String text, int start) {
            try {
                int port = Integer.parseInt(text, start, text.length(), 10);
                if (port >= 0 && port <= MAX_PORT) {
                    return port;
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw new TypeConversionException("'" + text + "' has no port of 0..65535 behind the colon");
        }
    }
}
