// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Datagrams of 0 to 64 bytes from a stranger, single or as a segment batch, among the packets of a peer that has the
 * same address. In any order, no datagram makes the inbox throw, and each packet of the peer arrives as it was sent.
 */
@Tag("udp")
class HostileDatagramsTest {
    private static final Loopback PLACE = Loopback.ONE_ADDRESS;
    private static final int QPN = 17;
    private static final int MOST_CUT = 8;
    private static final int LONGEST = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static ThreadRuntime runtime;
    private static UdpFabric sending;
    private static UdpFabric receiving;
    private static UdpPort peer;
    private static Endpoint target;
    private static DatagramReceiver inbox;
    private static Route route;
    private static final List<Integer> ARRIVED = new ArrayList<>();
    private static int psn;

    private enum Kind {
        EMPTY,
        RUBBISH,
        HEADER,
        CUT,
        SENDS,
        MIDDLES,
        ACKNOWLEDGES,
        DAMAGED
    }

    /** Datagrams of one kind, and whether the receiver polls before the next step. */
    private record Step(Kind kind, int count, int length, long seed, boolean looks) {}

    @BeforeContainer
    static void open() throws VerbsException, IOException {
        runtime = new ThreadRuntime(1);
        sending = new UdpFabric(runtime);
        receiving = new UdpFabric(runtime);
        sending.endpoint(PLACE.gid(0), PLACE.anyPort(0));
        FabricPort port = sending.attach("peer", List.of(PLACE.gid(0)), SimPacket::release);
        peer = (UdpPort) port;
        UdpSocket socket = UdpSocket.open(PLACE.anyPort(1));
        DatagramBatching batching = DatagramBatching.NONE;
        if (!Loopback.isPortable()) {
            socket.findDescriptor();
            batching = socket.mergesDatagrams() ? DatagramBatching.SEGMENTS : DatagramBatching.MESSAGES;
        }
        target = new Endpoint(PLACE.gid(1), socket, false, receiving.counters());
        sending.endpoint(PLACE.gid(1), socket.address());
        receiving.endpoint(PLACE.gid(0), sending.endpoint(PLACE.gid(0)));
        inbox = new DatagramReceiver(receiving, new Receiver(), batching);
        Gid from = PLACE.gid(0);
        Gid to = PLACE.gid(1);
        route = Route.of(from.high(), from.low(), to.high(), to.low(), 0xc000, 0, 64);
    }

    @AfterContainer
    static void close() {
        target.close();
        receiving.close();
        sending.close();
        runtime.close();
    }

    /** Records the PSNs of the peer's packets that are intact. */
    private static final class Receiver implements PacketReceiver {
        @Override
        public boolean takesFields() {
            return true;
        }

        @Override
        public void onPacket(SimPacket packet) {
            boolean intact =
                    packet.trusted() || (packet.parse(packet.length()) == PacketDefect.OK && packet.icrcValid());
            if (intact) {
                packet.decode();
                for (int i = 0; i < packet.count(); i++) {
                    ARRIVED.add(packet.psn() + i);
                }
            }
            packet.release();
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of(Kind.class),
                        Arbitraries.integers().between(1, MOST_CUT),
                        Arbitraries.integers().between(0, LONGEST),
                        Arbitraries.longs(),
                        Arbitraries.of(true, false))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(24);
    }

    @Property(tries = 400)
    void noDatagramThrowsAndEachPacketOfThePeerArrives(@ForAll("steps") List<Step> steps) throws IOException {
        ARRIVED.clear();
        List<Integer> expected = new ArrayList<>();
        long sent = receiving.count(UdpCounter.RECEIVED);
        for (Step step : steps) {
            sent += send(step, expected);
            if (step.looks()) {
                takeUntil(sent);
            }
        }
        takeUntil(sent);
        assertThat(ARRIVED).isEqualTo(expected);
    }

    private static void takeUntil(long sent) throws IOException {
        peer.drain();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (receiving.count(UdpCounter.RECEIVED) < sent) {
            if (!inbox.take(target)) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                Thread.onSpinWait();
            }
        }
    }

    /** Sends the datagrams of a step. Returns the number of packets on the wire. */
    private static int send(Step step, List<Integer> expected) throws IOException {
        Random random = new Random(step.seed());
        switch (step.kind()) {
            case EMPTY -> sendAlone(step, new byte[0]);
            case RUBBISH -> {
                byte[] bytes = new byte[step.length()];
                random.nextBytes(bytes);
                sendAlone(step, bytes);
            }
            case HEADER -> sendAlone(step, header(step.length(), random));
            case CUT -> sendCut(step, random);
            case SENDS -> add(step, Opcode.RC_SEND_ONLY, expected);
            case MIDDLES -> add(step, Opcode.RC_RDMA_WRITE_MIDDLE, expected);
            case ACKNOWLEDGES -> add(step, Opcode.RC_ACKNOWLEDGE, expected);
            case DAMAGED -> {
                for (int i = 0; i < step.count(); i++) {
                    SimPacket packet = packet(Opcode.RC_RDMA_WRITE_MIDDLE, step.length());
                    packet.encode();
                    packet.seal();
                    MemorySegment bytes = packet.segment();
                    long last = packet.length() - 1L;
                    bytes.set(JAVA_BYTE, last, (byte) ~bytes.get(JAVA_BYTE, last));
                    packet.trusted(false);
                    peer.add(packet);
                }
            }
        }
        return step.count();
    }

    private static void sendAlone(Step step, byte[] bytes) throws IOException {
        peer.drain();
        UdpSocket socket = peer.endpoints().getFirst().socket();
        for (int i = 0; i < step.count(); i++) {
            assertThat(socket.channel()
                            .send(ByteBuffer.wrap(bytes), target.socket().address()))
                    .isEqualTo(bytes.length);
        }
    }

    /** Returns a BTH with a valid opcode, cut at the length, followed by random bytes. */
    private static byte[] header(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        Opcode[] opcodes = Opcode.values();
        byte[] bth = {(byte) opcodes[random.nextInt(opcodes.length)].code(), 0x40, -1, -1, 0, 0, 0, QPN};
        System.arraycopy(bth, 0, bytes, 0, Math.min(length, bth.length));
        return bytes;
    }

    /** Sends datagrams of one length as a segment batch. */
    private static void sendCut(Step step, Random random) throws IOException {
        UdpSocket socket = peer.endpoints().getFirst().socket();
        if (!socket.hasDescriptor() || step.length() == 0) {
            sendAlone(step, header(step.length(), random));
            return;
        }
        peer.drain();
        try (Arena arena = Arena.ofConfined()) {
            MessageVector messages = new MessageVector(arena, 1, 1);
            int total = step.count() * step.length();
            MemorySegment bytes = arena.allocate(total);
            for (int i = 0; i < step.count(); i++) {
                MemorySegment.copy(
                        header(step.length(), random), 0, bytes, JAVA_BYTE, (long) i * step.length(), step.length());
            }
            messages.piece(0, bytes.address(), total);
            messages.message(0, 0, 1);
            messages.toSend(0, target.socket().address(), step.length());
            assertThat(socket.send(messages, 0, 1, 0)).isEqualTo(1);
        }
    }

    private static void add(Step step, Opcode opcode, List<Integer> expected) {
        for (int i = 0; i < step.count(); i++) {
            expected.add(psn);
            peer.add(packet(opcode, step.length()));
        }
        // Acknowledgements are sent apart from other packets, and so in another order.
        peer.drain();
    }

    private static SimPacket packet(Opcode opcode, int payload) {
        SimPacket packet = peer.newPacket();
        int length = opcode == Opcode.RC_RDMA_WRITE_MIDDLE ? 256 : payload;
        packet.begin(route, opcode, QPN, psn, true);
        packet.ackRequest(false);
        packet.acknowledge(psn, psn);
        packet.carries(opcode.hasPayload() ? length : 0);
        packet.segment().asSlice(packet.payloadOffset(), packet.payloadLength()).fill((byte) psn);
        psn = (psn + 1) & 0xff_ffff;
        return packet;
    }
}
