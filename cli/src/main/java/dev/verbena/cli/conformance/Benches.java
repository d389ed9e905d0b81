// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cli.output.Failures;
import dev.verbena.cli.tools.InstalledDevices;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.side.Introduction;
import dev.verbena.conformance.side.PortChoice;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Opens the devices under test that the options of {@code verbena conformance} select. */
final class Benches {
    private static final int PART_OF_SILENCE = 500;

    private Benches() {}

    /** Opens the device that the conformance agent serves to the process that executes the rules. */
    static OpenDevice far(ConformanceOptions options, InetAddress at) throws VerbsException {
        if (options.isSim()) {
            return new UdpSide(options.kind().orElseThrow(), DevicesModule.B, at, options.seed()).opened();
        }
        return open(options);
    }

    /** Opens the device of the process that executes the rules; for {@code sim} without an agent, two software devices. */
    static Bench near(ConformanceOptions options) throws VerbsException {
        Optional<InetSocketAddress> agent = options.peer();
        if (!options.isSim()) {
            OpenDevice near = open(options);
            return new DeviceBench(
                    options.provider() + ", " + near.device().name(),
                    near,
                    agent,
                    options.secret(),
                    Optional.empty(),
                    Divergences.none(),
                    waiting(options));
        }
        SimKind kind = options.kind().orElseThrow();
        if (agent.isEmpty()) {
            return new SimBench(kind, options.manner(), options.seed(), options.patience());
        }
        UdpSide side = new UdpSide(
                kind, DevicesModule.A, UdpNetwork.leadingTo(agent.get()).getAddress(), options.seed());
        return new DeviceBench(
                "sim, " + kind + ", over UDP, in two processes",
                side.opened(),
                agent,
                options.secret(),
                Optional.of(side.fabric()),
                kind.divergences(),
                waiting(options));
    }

    private static Side.Waiting waiting(ConformanceOptions options) {
        return new Side.Waiting(options.patience(), options.patience().dividedBy(PART_OF_SILENCE));
    }

    private static OpenDevice open(ConformanceOptions options) throws VerbsException {
        VerbsProvider provider = VerbsProviders.named(options.provider());
        Optional<String> wanted = options.device();
        if (wanted.isPresent() && provider.availability().isAvailable()) {
            return opened(provider, wanted.get(), options.port());
        }
        try {
            return opened(provider, InstalledDevices.of(provider).getFirst().name(), options.port());
        } catch (ToolException none) {
            throw new VerbsException(Errno.ENODEV, "ibv_open_device", Failures.describe(none));
        }
    }

    private static OpenDevice opened(VerbsProvider provider, String name, PortChoice port) throws VerbsException {
        Device device = provider.open(name);
        return new OpenDevice(
                device, port, provider.extension(ConnectionManager.class), Introduction.NONE, device::close);
    }
}
