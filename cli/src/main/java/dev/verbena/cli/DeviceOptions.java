package dev.verbena.cli;

import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import com.google.inject.util.Modules;
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

/** The options of the tools that say which devices there are, and what is between them and their peers. */
final class DeviceOptions {
    private static final String SOFTWARE = "sim";

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            description = "Whose devices: sim, those in software, or another that is installed. Default: sim.")
    private String provider = SOFTWARE;

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            converter = Carrier.Converter.class,
            description = "What carries the packets of devices in software: in-process, or udp, which is RoCEv2.")
    private @Nullable Carrier carrier;

    @Option(
            names = "--local",
            paramLabel = "ADDRESS[:PORT]",
            converter = EndpointConverter.class,
            description =
                    "Where the device in software is: an address of this machine, IPv4 or IPv6. Default: the one that"
                            + " leads to the server, of a server 127.0.0.1.")
    private @Nullable InetSocketAddress local;

    @Option(
            names = "--peer",
            paramLabel = "ADDRESS[:PORT]",
            converter = EndpointConverter.class,
            description = "Where the device of the server is, if it is not at the address of HOST and port 4791.")
    private @Nullable InetSocketAddress peer;

    @Mixin
    private CaptureOption capture = new CaptureOption();

    @Mixin
    private Faults faults = new Faults();

    /** What is wrong with the options together, if anything is. */
    Optional<String> complaint() {
        if (!isSoftware() && (carrier != null || isPlaced() || capture.capture().isPresent() || isFaulty())) {
            return Optional.of("--fabric, --local, --peer, --capture and faults are for --provider sim");
        }
        if (carrier == Carrier.IN_PROCESS && isPlaced()) {
            return Optional.of("--local and --peer are for --fabric udp");
        }
        return capture.complaint(null);
    }

    /** Whether the devices are those in software. */
    boolean isSoftware() {
        return provider.equals(SOFTWARE);
    }

    /** Whether the options place a device in the network. */
    boolean isPlaced() {
        return local != null || peer != null;
    }

    /** The address of {@code --local}. */
    Optional<InetSocketAddress> local() {
        return Optional.ofNullable(local);
    }

    /** The address of {@code --peer}. */
    Optional<InetSocketAddress> peer() {
        return Optional.ofNullable(peer);
    }

    /** Whether faults were ordered. */
    boolean isFaulty() {
        return !faults.plan().rules().isEmpty();
    }

    /** Whether the devices cannot meet those of another process. */
    boolean isAlone() {
        return carrier == Carrier.IN_PROCESS;
    }

    /** A provider for looking at devices: those of a usual process, unless the options place one in the network. */
    Devices openToLook() throws VerbsException, ToolException {
        return open(carrier == Carrier.UDP || isPlaced() ? Optional.of(network(Optional.empty())) : Optional.empty());
    }

    /** A provider whose devices talk to each other. */
    Devices openBothEnds() throws VerbsException, ToolException {
        return open(carrier == Carrier.UDP ? Optional.of(UdpNetwork.of(null, local, peer)) : Optional.empty());
    }

    /** A provider for talking: with a server, or as one if none is named. */
    Devices openToTalk(Optional<String> server) throws VerbsException, ToolException {
        return open(Optional.of(network(server)));
    }

    /**
     * A provider for connections by address.
     *
     * @param listens whether this is the side that listens
     * @param address where it listens, or whom it calls
     * @param source where a caller is
     */
    Devices openToConnect(boolean listens, Optional<InetAddress> address, Optional<InetAddress> source)
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

    /** Where a server's device is if it is where the server is; null if only the exchange of addresses can tell. */
    private static @Nullable InetSocketAddress roceAt(String server) {
        try {
            return new InetSocketAddress(InetAddress.getByName(server), UdpNetwork.ROCE_PORT);
        } catch (UnknownHostException e) {
            // Connecting there will say so.
            return null;
        }
    }

    /**
     * A provider, its devices, and the objects to close after use.
     *
     * @param provider the provider
     * @param devices its devices, one or more
     * @param resources what it was made of
     * @param udp what carries the packets of a device in software that is on a network
     */
    record Devices(VerbsProvider provider, List<DeviceInfo> devices, CloseStack resources, Optional<UdpFabric> udp)
            implements AutoCloseable {
        List<String> names() {
            return devices.stream().map(DeviceInfo::name).toList();
        }

        /** The device that is wanted, or all of them if none is named. */
        List<String> choose(@Nullable String wanted) throws ToolException {
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
