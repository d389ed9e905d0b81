// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.fault.FaultPlan;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Two hosts with a device each, and the packets between them, in virtual time. */
final class TwoHosts implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(200);

    private static final InetAddress CLIENT = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress SERVER = InetAddress.ofLiteral("192.0.2.2");

    final SimRuntime runtime;
    final List<Opcode> opcodes = Collections.synchronizedList(new ArrayList<>());
    private final Runnable carrier;
    private final SimProvider client;
    private final SimProvider server;

    /** Hosts in virtual time. */
    TwoHosts(long seed, FaultPlan faults) throws VerbsException {
        this(seed, faults, DeviceProfile.specification());
    }

    /** Hosts in virtual time, with a server's device of a given kind. */
    TwoHosts(long seed, FaultPlan faults, DeviceProfile ofServer) throws VerbsException {
        this(new VirtualRuntime(seed), faults, ofServer);
    }

    private TwoHosts(VirtualRuntime runtime, FaultPlan faults, DeviceProfile ofServer) throws VerbsException {
        this(runtime, new InProcessFabric(runtime), () -> {}, faults, ofServer);
    }

    /** Hosts whose packets cross sockets of this machine. */
    static TwoHosts overUdp(long seed) throws VerbsException {
        SimRuntime threads = new ThreadRuntime(seed);
        UdpFabric udp = new UdpFabric(threads);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        udp.endpoint(Gid.ofAddress(CLIENT), anyPort);
        udp.endpoint(Gid.ofAddress(SERVER), anyPort);
        return new TwoHosts(threads, udp, udp::close, FaultPlan.none(), DeviceProfile.specification());
    }

    private TwoHosts(SimRuntime runtime, Fabric inner, Runnable carrier, FaultPlan faults, DeviceProfile ofServer)
            throws VerbsException {
        this.runtime = runtime;
        this.carrier = carrier;
        TappedFabric fabric = new TappedFabric(new FaultyFabric(inner, faults, runtime), runtime, tap());
        client = new SimProvider(runtime, fabric, List.of(SimDeviceSpec.of("sim0", CLIENT.getHostAddress())));
        server = new SimProvider(
                runtime,
                fabric,
                List.of(SimDeviceSpec.of("sim1", SERVER.getHostAddress()).withProfile(ofServer)));
    }

    private PacketTap tap() {
        return (nanos, link, packet) -> opcodes.add(packet.opcode());
    }

    ConnectionManager clientManager() {
        return client.extension(ConnectionManager.class).orElseThrow();
    }

    ConnectionManager serverManager() {
        return server.extension(ConnectionManager.class).orElseThrow();
    }

    static InetSocketAddress serverAt(int port) {
        return new InetSocketAddress(SERVER, port);
    }

    /** The opcodes of data, without MADs and acknowledgements. */
    List<Opcode> data() {
        return opcodes.stream()
                .filter(opcode -> opcode != Opcode.UD_SEND_ONLY && opcode != Opcode.RC_ACKNOWLEDGE)
                .toList();
    }

    void settle() throws InterruptedException {
        runtime.await(() -> false, Duration.ofSeconds(5));
    }

    int open() {
        return client.leaks().size() + server.leaks().size();
    }

    @Override
    public void close() throws VerbsException {
        client.close();
        server.close();
        carrier.run();
        runtime.close();
    }

    static final class Output {
        private final StringWriter text = new StringWriter();
        final PrintWriter writer = new PrintWriter(text);

        List<String> lines() {
            writer.flush();
            return text.toString().lines().toList();
        }
    }
}
