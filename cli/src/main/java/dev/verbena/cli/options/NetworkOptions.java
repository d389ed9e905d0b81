// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import dev.verbena.cli.network.Carrier;
import dev.verbena.cli.network.Role;
import dev.verbena.cli.network.UdpNetwork;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that select the fabric of the software devices and the addresses of these devices. */
public final class NetworkOptions {
    private static final Duration INITIATOR_PATIENCE = Duration.ofSeconds(30);
    private static final Duration TARGET_PATIENCE = Duration.ofMinutes(10);

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            converter = Carrier.Converter.class,
            description = OptionTexts.FABRIC + " Default: in-process.")
    private Carrier carrier = Carrier.IN_PROCESS;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            converter = RoleConverter.class,
            description =
                    "Run only one node, because the other node is in another process: initiator (node A, which has"
                            + " the file) or target (node B, which stores it). Start the target first.")
    private @Nullable Role role;

    @Option(
            names = "--local",
            paramLabel = "ADDRESS[:PORT]",
            converter = EndpointConverter.class,
            description = OptionTexts.LOCAL + " Default: 127.0.0.1:0; for a target, 127.0.0.1:4791.")
    private @Nullable InetSocketAddress local;

    @Option(
            names = "--peer",
            paramLabel = "ADDRESS[:PORT]",
            converter = EndpointConverter.class,
            description =
                    OptionTexts.PEER + " Default: 127.0.0.1:0; for an initiator, 127.0.0.1:4791. A target learns it"
                            + " from the initiator.")
    private @Nullable InetSocketAddress peer;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = OptionTexts.WAIT + " Default: 30; for a target, 600.")
    private @Nullable Integer wait;

    public Optional<String> complaint(boolean virtual, boolean carriesSomething) {
        if (carrier != Carrier.UDP) {
            return role == null && local == null && peer == null && wait == null
                    ? Optional.empty()
                    : Optional.of("--role, --local, --peer and --wait are for --fabric udp");
        }
        if (isIpv6(local) || isIpv6(peer)) {
            return Optional.of("--local and --peer: LNet needs IPv4 addresses, such as 10.0.0.1 or 10.0.0.1:4791");
        }
        if (wait != null && (role == null || wait < 1)) {
            return Optional.of("--wait requires --role, and is at least 1 second");
        }
        if (virtual) {
            return Optional.of("--fabric udp runs in wall time; omit --seed or --fabric udp");
        }
        if (role == Role.TARGET && carriesSomething) {
            return Optional.of("the initiator selects the data; omit FILE, --size and --message-size at the target");
        }
        return Optional.empty();
    }

    private static boolean isIpv6(@Nullable InetSocketAddress at) {
        return at != null && at.getAddress() instanceof Inet6Address;
    }

    /** Returns the role of this process in the demo, or null if this process runs both nodes. */
    public @Nullable Role role() {
        return role;
    }

    public Duration patience() {
        return wait != null ? Duration.ofSeconds(wait) : role == Role.TARGET ? TARGET_PATIENCE : INITIATOR_PATIENCE;
    }

    /** Returns the UDP addresses of the devices, or empty if both nodes are in this process. */
    public Optional<UdpNetwork> network() {
        return carrier == Carrier.UDP ? Optional.of(UdpNetwork.of(role, local, peer)) : Optional.empty();
    }

    static final class RoleConverter implements ITypeConverter<Role> {
        @Override
        public Role convert(String text) {
            return switch (text) {
                case "initiator" -> Role.INITIATOR;
                case "target" -> Role.TARGET;
                default -> throw new TypeConversionException("'" + text + "' is not a role; write initiator or target");
            };
        }
    }
}
