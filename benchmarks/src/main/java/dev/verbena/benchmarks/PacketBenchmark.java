// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures the path of one packet through the in-process fabric: allocate the packet, write its headers, send, receive and
 * release it. The benchmark uses no queue pair.
 */
public class PacketBenchmark extends Piece {
    private static final Gid FROM = Gid.parse("::ffff:192.0.2.1");
    private static final Gid TO = Gid.parse("::ffff:192.0.2.2");
    private static final int SOURCE_PORT = 0xC000;
    private static final int HOP_LIMIT = 64;

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final InProcessFabric fabric = new InProcessFabric(runtime);
    private FabricPort port;
    private long come;

    @Setup
    public void attach() throws VerbsException {
        port = fabric.attach("near", List.of(FROM), SimPacket::release);
        fabric.attach("far", List.of(TO), this::receive);
    }

    private void receive(SimPacket packet) {
        come++;
        packet.release();
    }

    /** Closes the fabric's scheduler, a {@code ThreadRuntime}. Only tests call this method; JMH does not call it. */
    public void close() {
        runtime.close();
    }

    /** Sends one packet. Returns the number of packets that the peer has received in total. */
    @Benchmark
    public long carry() {
        SimPacket packet = port.newPacket();
        packet.begin(FROM.high(), FROM.low(), TO.high(), TO.low(), SOURCE_PORT, 0, HOP_LIMIT);
        packet.beginTransport(Opcode.RC_ACKNOWLEDGE);
        packet.payloadLength(0);
        port.send(packet);
        return come;
    }
}
