// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures the requester and the responder of RDMA WRITEs of 64 bytes separately, each in its own benchmark. No queue pair
 * exists at the peer, so the benchmark itself creates the peer's packets.
 */
public class StepBenchmark extends Piece implements PacketReceiver {
    private static final String NAME = "sim0";
    private static final String ADDRESS = "192.0.2.1";
    private static final Gid PEER = Gid.parse("::ffff:192.0.2.2");
    private static final int PEER_QPN = 17;
    private static final int SOURCE_PORT = 0xC000;
    private static final int HOP_LIMIT = 64;
    private static final int BYTES = 64;
    private static final int DEPTH = 16;
    private static final int MASK = 0xFF_FFFF;

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final InProcessFabric fabric = new InProcessFabric(runtime);
    private SimProvider provider;
    private FabricPort peer;
    private Route toDevice;
    private MemoryRegion region;
    private QueuePair queuePair;
    private CompletionQueue queue;
    private SendRequests write;
    private WorkCompletions completions;
    private int nextPsn;
    private int messages;
    private int lastPsn;

    /**
     * The number of packets that arrived at the peer. The field is volatile, because another thread may deliver a packet
     * and increase the field during the connection setup.
     */
    private volatile int come;

    @Setup
    public void connect() throws VerbsException {
        provider = new SimProvider(runtime, fabric, List.of(SimDeviceSpec.of(NAME, ADDRESS)));
        Gid own = Gid.parse("::ffff:" + ADDRESS);
        peer = fabric.attach("peer", List.of(PEER), this);
        toDevice = Route.of(PEER.high(), PEER.low(), own.high(), own.low(), SOURCE_PORT, 0, HOP_LIMIT);
        Device device = provider.open(NAME);
        ProtectionDomain domain = device.allocatePd();
        region = domain.registerMemory(
                device.newArena().allocate(BYTES, BYTES), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        queue = device.createCq(CqInitAttributes.ofCapacity(DEPTH));
        queuePair = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(DEPTH, 1)));
        QpConnector.builder(queuePair)
                .access(AccessFlag.REMOTE_WRITE)
                .build()
                .connect(new QpEndpoint(PEER, 0, PEER_QPN, Psn.of(nextPsn), PathMtu.MTU_1024, 1));
        write = queuePair.newSendRequests(1);
        write.get(0).rdmaWrite(0x1000, 1).signaled().sge(region, 0, BYTES);
        completions = queue.newCompletions(1);
    }

    @Override
    public boolean takesFields() {
        return true;
    }

    /** Counts the packets that arrive at the peer's port. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // One packet is in flight at a time.
    public void onPacket(SimPacket packet) {
        lastPsn = packet.psn();
        come = come + 1;
        packet.release();
    }

    /** Closes the device. Only tests call this method; JMH does not call it. */
    public void close() {
        provider.close();
        runtime.close();
    }

    /**
     * Runs the requester and the completer: posts RDMA WRITEs, and delivers the peer's acknowledgements, which complete
     * the RDMA WRITEs. Returns the number of completions.
     */
    @Benchmark
    public int request() {
        int before = come;
        queuePair.postSend(write, 1);
        awaitPacket(before);
        SimPacket answer = peer.newPacket();
        answer.begin(toDevice, Opcode.RC_ACKNOWLEDGE, queuePair.number(), lastPsn, false);
        messages = (messages + 1) & MASK;
        answer.acknowledge(Aeth.SYNDROME_ACK_UNLIMITED, messages);
        peer.send(answer);
        int completed = queue.poll(completions);
        for (int looks = 0; completed == 0; looks++) {
            Spin.turn(looks);
            completed = queue.poll(completions);
        }
        return completed;
    }

    private void awaitPacket(int before) {
        for (int looks = 0; come == before; looks++) {
            Spin.turn(looks);
        }
    }

    /**
     * Runs the responder: receives the peer's RDMA WRITEs, and acknowledges them. Returns the number of packets that
     * the peer received.
     */
    @Benchmark
    public int respond() {
        int before = come;
        SimPacket request = peer.newPacket();
        request.begin(toDevice, Opcode.RC_RDMA_WRITE_ONLY, queuePair.number(), nextPsn, false);
        nextPsn = (nextPsn + 1) & MASK;
        request.ackRequest(true);
        request.reth(region.address(), region.rkey(), BYTES);
        request.carries(BYTES);
        peer.send(request);
        awaitPacket(before);
        return come;
    }
}
