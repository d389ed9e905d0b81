// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.doctor.Doctor;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.ibverbs.IbverbsProvider;
import dev.verbena.ibverbs.disni.DisniProvider;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.NativeUse;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code verbena doctor}: reports this host's working RDMA components, and the reason for each missing component. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = "Report the RDMA software and hardware that works on this machine, and the reason"
                + " for each missing component.")
final class DoctorCommand implements Callable<Integer> {
    private static final String IPV4 = "127.0.0.1";
    private static final List<String> LOOPBACKS = List.of(IPV4, "127.0.0.2", "::1");

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            description = OptionTexts.PROVIDER + " Default: ibverbs, after a report about devices in software.")
    private @Nullable String provider;

    @Override
    public Integer call() throws VerbsException {
        PrintWriter out = spec.commandLine().getOut();
        out.println("java: " + System.getProperty("java.vendor") + " " + Runtime.version());
        out.println("system: " + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch"));
        if (provider == null) {
            reportSoftware(out);
        }
        VerbsProvider examined = provider == null ? new IbverbsProvider() : VerbsProviders.named(provider);
        Doctor.ofThisMachine(examined).examine(out);
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static void reportSoftware(PrintWriter out) {
        for (String loopback : LOOPBACKS) {
            out.println("UDP at " + loopback + ": " + probe(loopback, 0));
        }
        out.println("UDP at " + IPV4 + ", port " + UdpNetwork.ROCE_PORT + ": " + probe(IPV4, UdpNetwork.ROCE_PORT));
        out.println("IPv6 from peers that send no UDP checksum, such as Soft-RoCE: "
                + NativeUse.obstacle().map(reason -> "no, " + reason).orElse("yes"));
        out.println("IPv4 to kernels and adapters: "
                + (isLinux()
                        ? "yes, this system sends identification 0"
                        : "perhaps not, this system may send an identification other than 0, which invalidates"
                                + " the ICRC; use IPv6"));
        out.println("provider disni: "
                + switch (new DisniProvider().availability()) {
                    case Availability.Available(String detail) -> "yes, " + detail;
                    case Availability.Unavailable(String reason, String cure) -> "no, " + reason + "; " + cure;
                });
    }

    private static boolean isLinux() {
        return "Linux".equals(System.getProperty("os.name"));
    }

    /**
     * Tries to bind a UDP socket to the address and port. If the bind succeeds, returns the MTU of the address's network
     * interface, otherwise the reason for the failure.
     */
    private static String probe(String address, int port) {
        Gid gid = Gid.parse(address);
        try (ThreadRuntime runtime = new ThreadRuntime(0);
                UdpFabric fabric = new UdpFabric(runtime)) {
            fabric.endpoint(gid, new InetSocketAddress(gid.toAddress(), port));
            try (FabricPort attached = fabric.attach("doctor", List.of(gid), SimPacket::release)) {
                return "yes, MTU " + attached.mtu();
            }
        } catch (VerbsException e) {
            return "no, " + e.getMessage();
        }
    }
}
