// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import com.google.inject.util.Modules;
import dev.verbena.cli.network.Carrier;
import dev.verbena.cli.network.CloseStack;
import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.FabricModule;
import dev.verbena.cli.network.Faults;
import dev.verbena.cli.network.Injectors;
import dev.verbena.cli.network.Role;
import dev.verbena.cli.network.RuntimeModule;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cli.tools.InstalledDevices;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A tool's options for the provider, the fabric, the device addresses, the packet capture and the injected faults. */
public final class DeviceOptions {
    private static final String SOFTWARE = "sim";

    @Option(names = "--provider", paramLabel = "NAME", description = OptionTexts.PROVIDER + " Default: sim.")
    private String provider = SOFTWARE;

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            converter = Carrier.Converter.class,
            description = OptionTexts.FABRIC)
    private @Nullable Carrier carrier;

    @Option(
            names = "--local",
            paramLabel = "ADDRESS[:PORT]",
            converter = EndpointConverter.class,
            description = OptionTexts.LOCAL + " Default: the one on the route to the server; for a server, 127.0.0.1.")
    private @Nullable InetSocketAddress local;

    @Option(
            names = "--peer",
            paramLabel = "ADDRESS[:PORT]",
            converter = EndpointConverter.class,
            description = OptionTexts.PEER + " Default: the address of the server, with port 4791.")
    private @Nullable InetSocketAddress peer;

    @Mixin
    private CaptureOption capture = new CaptureOption();

    @Mixin
    private Faults faults = new Faults();

    Optional<String> complaint() {
        if (!isSoftware() && (carrier != null || isPlaced() || capture.capture().isPresent() || isFaulty())) {
            return Optional.of("--fabric, --local, --peer, --capture and faults are for --provider sim");
        }
        if (carrier == Carrier.IN_PROCESS && isPlaced()) {
            return Optional.of("--local and --peer are for --fabric udp");
        }
        return capture.complaint(null);
    }

    public boolean isSoftware() {
        return provider.equals(SOFTWARE);
    }

    /** Returns whether an option sets the address of a device. */
    boolean isPlaced() {
        return local != null || peer != null;
    }

    public Optional<InetSocketAddress> local() {
        return Optional.ofNullable(local);
    }

    public Optional<InetSocketAddress> peer() {
        return Optional.ofNullable(peer);
    }

    public boolean isFaulty() {
        return !faults.plan().rules().isEmpty();
    }

    /** Returns whether the devices can reach only each other, and no devices of other processes. */
    public boolean isAlone() {
        return carrier == Carrier.IN_PROCESS;
    }

    /** Opens a provider for listing its devices. In the UDP fabric, {@code --local} sets the address of the only device. */
    public Devices openToLook() throws VerbsException, ToolException {
        return open(carrier == Carrier.UDP || isPlaced() ? Optional.of(network(Optional.empty())) : Optional.empty());
    }

    /** Opens a provider with two devices that exchange messages with each other in this process. */
    public Devices openBothEnds() throws VerbsException, ToolException {
        return open(carrier == Carrier.UDP ? Optional.of(UdpNetwork.of(null, local, peer)) : Optional.empty());
    }

    /** Opens a provider for exchanging messages with a server; without a server's name, this process is the server. */
    public Devices openToTalk(Optional<String> server) throws VerbsException, ToolException {
        return open(Optional.of(network(server)));
    }

    /**
     * Opens a provider for connections that are made by IP address.
     *
     * @param listens whether this process is the server
     * @param address the IP address of the server: the server listens on this address, and the client connects to it
     * @param source the client's own address
     */
    public Devices openToConnect(boolean listens, Optional<InetAddress> address, Optional<InetAddress> source)
            throws VerbsException, ToolException {
        InetSocketAddress there = address.map(DeviceOptions::roceAt).orElse(null);
        InetSocketAddress here =
                local != null ? local : source.map(DeviceOptions::roceAt).orElse(null);
        return open(Optional.of(
                listens
                        ? UdpNetwork.of(Role.TARGET, here != null ? here : there, peer)
                        : UdpNetwork.of(Role.INITIATOR, here, peer != null ? peer : there)));
    }

    private static InetSocketAddress roceAt(InetAddress address) {
        return new InetSocketAddress(address, UdpNetwork.ROCE_PORT);
    }

    private Devices open(Optional<UdpNetwork> network) throws VerbsException, ToolException {
        if (!isSoftware()) {
            VerbsProvider other = VerbsProviders.named(provider);
            return new Devices(other, InstalledDevices.of(other), new CloseStack(), Optional.empty());
        }
        Injector injector = Injectors.of(Modules.combine(
                new RuntimeModule(OptionalLong.empty()),
                new FabricModule(faults.plan(), capture.capture(), network),
                new DevicesModule(network)));
        SimProvider software = injector.getInstance(SimProvider.class);
        return new Devices(
                software,
                software.devices(),
                injector.getInstance(CloseStack.class),
                injector.getInstance(Key.get(new TypeLiteral<Optional<UdpFabric>>() {})));
    }

    private UdpNetwork network(Optional<String> server) {
        return server.isPresent()
                ? UdpNetwork.of(Role.INITIATOR, local, peer != null ? peer : roceAt(server.get()))
                : UdpNetwork.of(Role.TARGET, local, peer);
    }

    /** Returns the address of the server's software device, or null if the server's host name is unknown. */
    private static @Nullable InetSocketAddress roceAt(String server) {
        try {
            return new InetSocketAddress(InetAddress.getByName(server), UdpNetwork.ROCE_PORT);
        } catch (UnknownHostException e) {
            // A later attempt to connect to the server reports the unknown host name.
            return null;
        }
    }

    /**
     * An open provider, the names of its devices (one or more), and the resources that {@link #close} closes. The component
     * {@code udp} contains the fabric of software devices on a UDP network, and is otherwise empty.
     */
    public record Devices(
            VerbsProvider provider, List<DeviceInfo> devices, CloseStack resources, Optional<UdpFabric> udp)
            implements AutoCloseable {
        public List<String> names() {
            return devices.stream().map(DeviceInfo::name).toList();
        }

        /** Returns the requested device name, or all device names if no name is requested. */
        public List<String> choose(@Nullable String wanted) throws ToolException {
            List<String> names = names();
            if (wanted == null) {
                return names;
            }
            if (!names.contains(wanted)) {
                throw new ToolException("IB device '" + wanted + "' not found; there are " + String.join(", ", names));
            }
            return List.of(wanted);
        }

        @Override
        public void close() throws IOException {
            resources.close();
        }
    }
}
