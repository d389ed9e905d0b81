// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.NodesModule;
import dev.verbena.cli.options.CmTool;
import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.DeviceTool;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnd.O2ibTunables;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.VerbsException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command of {@code verbena lnet} that runs a node for as long as the command runs. */
abstract class LnetTool extends DeviceTool {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // Read by picocli.
    private boolean help;

    @Option(
            names = "--nid",
            paramLabel = "NID",
            description = "This node's NID, such as 10.0.0.1@o2ib. Default: the NID of the software device.")
    private @Nullable String nid;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description = "The interface with the address of this node's NID, such as eth0.")
    private @Nullable String networkInterface;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A YAML file with one setting on each line: nid, interface, and tunables of ko2iblnd.")
    private @Nullable Path config;

    @Option(
            names = "--options",
            paramLabel = "FILE",
            description = "A file in modprobe.d format; its lines 'options ko2iblnd NAME=VALUE ...' are used.")
    private @Nullable Path modprobe;

    @Option(
            names = {"-o", "--option"},
            paramLabel = "NAME=VALUE",
            description = "A tunable of ko2iblnd, such as peer_credits=16. May be given more than once.")
    private Map<String, String> options = new LinkedHashMap<>();

    /**
     * Returns the LNet configuration from the command-line options and the configuration file. The error message for an
     * invalid setting contains the setting's name and line number.
     */
    LnetConfig config() {
        if (isIpv6(devices().local()) || isIpv6(devices().peer())) {
            throw wrong("--local and --peer: LNet needs IPv4 addresses, such as 10.0.0.1 or 10.0.0.1:4791");
        }
        LnetConfig all = new LnetConfig();
        try {
            if (config != null) {
                YamlSettings.read(config).forEach(all::set);
            }
            if (modprobe != null) {
                ModprobeOptions.read(modprobe, "ko2iblnd").forEach(all::set);
            }
            options.forEach(all::set);
            if (nid != null) {
                all.set("nid", nid);
            }
            if (networkInterface != null) {
                all.set("interface", networkInterface);
            }
            all.notes().forEach(commandLine().getErr()::println);
            commandLine().getErr().flush();
            return all;
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isIpv6(Optional<InetSocketAddress> at) {
        return at.isPresent() && at.get().getAddress() instanceof Inet6Address;
    }

    Nid target(String text) {
        try {
            return LnetConfig.checked(Nid.parse(text));
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    DeviceOptions.Devices openToServe(LnetConfig settings) throws VerbsException, ToolException {
        return devices().openToConnect(true, settings.nid().map(LnetConfig::addressOf), Optional.empty());
    }

    DeviceOptions.Devices openToCall(LnetConfig settings, Nid target) throws VerbsException, ToolException {
        InetAddress there = LnetConfig.addressOf(target);
        boolean local = Gid.ofAddress(there).equals(DevicesModule.B.addresses().getFirst());
        return devices()
                .openToConnect(
                        false,
                        local ? Optional.empty() : Optional.of(there),
                        settings.nid().map(LnetConfig::addressOf));
    }

    LnetNode start(DeviceOptions.Devices open, LnetConfig settings) throws VerbsException, ToolException {
        Nid own = settings.nid().isPresent() ? settings.nid().get() : nidOf(open, 0);
        return start(open, own, settings.tunables());
    }

    static LnetNode start(DeviceOptions.Devices open, Nid own, O2ibTunables tunables)
            throws VerbsException, ToolException {
        ConnectionManager manager = CmTool.connections(open.provider());
        return LnetNode.start(manager, LnetConfig.addressOf(own), own, tunables);
    }

    /** Returns the NID of the software device with the given index in the provider's device list. */
    Nid nidOf(DeviceOptions.Devices open, int index) throws VerbsException, ToolException {
        if (!devices().isSoftware()) {
            throw wrong("with another --provider than sim, name this node with --nid or --interface");
        }
        List<DeviceInfo> infos = open.provider().devices();
        try (Device device = open.provider().open(infos.get(index).name())) {
            for (GidEntry entry : device.gidTable(1)) {
                if (entry.gid().isIpv4()) {
                    return NodesModule.nid(entry.gid());
                }
            }
        }
        throw new ToolException("device " + infos.get(index).name() + " has no IPv4 address for a NID");
    }
}
