// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Datagrams from a socket of no device: packets of a kernel, damaged packets, and random bytes. */
@Tag("udp")
class ReceivedDatagramsTest {
    private static final Gid PEER = Loopback.ONE_ADDRESS.gid(1);
    private static final int PEER_QPN = 99;
    private static final int FIRST_PSN = 500;

    private final UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS);
    private final RocePacket packet = new RocePacket(Arena.ofAuto());
    private DatagramSocket peer;
    private Node node;
    private Endpoint endpoint;
    private int psn = FIRST_PSN;

    @BeforeEach
    void connect() throws VerbsException, SocketException {
        peer = new DatagramSocket(Loopback.ONE_ADDRESS.anyPort(1));
        lab.udp().endpoint(PEER, (InetSocketAddress) peer.getLocalSocketAddress());
        node = lab.node(0);
        endpoint = node.endpoint();
        Connection.USUAL.psns(1, FIRST_PSN).apply(endpoint.qp(), PEER, PEER_QPN);
        for (int i = 0; i < 20; i++) {
            endpoint.receive(i, 100L * i, 100);
        }
    }

    @AfterEach
    void close() {
        peer.close();
        lab.close();
    }

    /** Sends a SEND of 8 bytes, as from a stack that sets identifications. */
    private void send(int identification, Consumer<RocePacket> damage) throws IOException {
        Gid own = node.address();
        packet.begin(PEER.high(), PEER.low(), own.high(), own.low(), peer.getLocalPort(), 0, 64);
        packet.beginTransport(Opcode.RC_SEND_ONLY)
                .destinationQpn(endpoint.qp().number())
                .psn(psn)
                .ackRequest(true);
        packet.payloadLength(8);
        packet.segment().asSlice(packet.payloadOffset(), 8).fill((byte) psn);
        packet.ipv4Header().identification(identification);
        packet.seal();
        damage.accept(packet);
        byte[] bytes = new byte[packet.length() - packet.bthOffset()];
        packet.buffer().position(packet.bthOffset()).get(bytes);
        send(bytes);
    }

    private void send(byte[] bytes) throws IOException {
        InetSocketAddress to = lab.udp().endpoint(node.address());
        long before = lab.udp().count(UdpCounter.RECEIVED);
        peer.send(new DatagramPacket(bytes, bytes.length, to));
        lab.until("the datagram", () -> lab.udp().count(UdpCounter.RECEIVED) > before);
    }

    private void arrives(int identification) throws IOException {
        long before = node.count(Counter.RCVD_PKTS);
        send(identification, sent -> {});
        lab.until("packet " + psn, () -> node.count(Counter.RCVD_PKTS) > before);
        psn++;
    }

    private void isDropped(Counter reason, int identification, Consumer<RocePacket> damage) throws IOException {
        long before = node.count(reason);
        send(identification, damage);
        lab.until(reason.label(), () -> node.count(reason) > before);
    }

    private static void flipABit(RocePacket sent) {
        sent.icrc(sent.icrc() ^ 0x100);
    }

    private long recovered() {
        return lab.udp().count(UdpCounter.RECOVERED_IDENTIFICATION);
    }

    @Test
    void theIdentificationsOfAKernelAreRecoveredFromTheFirstPacketOn() throws IOException {
        for (int i = 0; i < 10; i++) {
            arrives(0xfff9 + 3 * i & 0xffff);
        }
        // A packet is counted before the receive that it consumes completes.
        List<String> received = new ArrayList<>();
        lab.until("ten receives", () -> received.addAll(endpoint.receives()) && received.size() >= 10);
        assertThat(received).hasSize(10);
        assertThat(recovered()).isEqualTo(10);
        assertThat(lab.udp().count(UdpCounter.COUNTING_PEERS)).isEqualTo(1);
        // A peer that counts may also send 0, and its damaged packets are still detected.
        arrives(0);
        isDropped(Counter.DROPPED_ICRC, 77, ReceivedDatagramsTest::flipABit);
        assertThat(recovered()).isEqualTo(10);
    }

    @Test
    void aPeerThatSent0NeedsSeveralPacketsWithAnotherIdentification() throws IOException {
        arrives(0);
        isDropped(Counter.DROPPED_ICRC, 5, sent -> {});
        arrives(0);
        isDropped(Counter.DROPPED_ICRC, 6, sent -> {});
        isDropped(Counter.DROPPED_ICRC, 0, ReceivedDatagramsTest::flipABit);
        assertThat(recovered()).isZero();
        arrives(7);
        arrives(8);
        assertThat(recovered()).isEqualTo(2);
    }

    /** One of 2^16 random datagrams matches some identification, and a stranger may repeat it. */
    @Test
    void aRepeatedDatagramDoesNotCountAsAnotherStack() throws IOException {
        arrives(0);
        for (int i = 0; i < 5; i++) {
            isDropped(Counter.DROPPED_ICRC, 5, sent -> {});
        }
        assertThat(recovered()).isZero();
        arrives(0);
    }

    @Test
    void aPeerThatSends0ForLongIsCheckedFor0Again() throws IOException {
        arrives(9);
        for (int i = 0; i < 64; i++) {
            endpoint.receive(i, 0, 100);
            arrives(0);
            endpoint.receives();
        }
        isDropped(Counter.DROPPED_ICRC, 10, sent -> {});
    }

    /** IP IDs below 128 are tried before the IP ID is recovered, and must not count as IP ID 0. */
    @Test
    void aPeerThatIncrementsTheIdentificationMayWrapAround() throws IOException {
        for (int identification = 0xfffe; identification < 0x1_0000 + 140; identification++) {
            endpoint.receive(identification, 0, 100);
            arrives(identification & 0xffff);
            endpoint.receives();
        }
        assertThat(node.count(Counter.DROPPED_ICRC)).isZero();
        assertThat(lab.udp().count(UdpCounter.COUNTING_PEERS)).isEqualTo(1);
    }

    @Test
    void identificationsNumberedFrom0ByThePeersSystemAreAccepted() throws IOException {
        for (int round = 0; round < 3; round++) {
            for (int identification = 0; identification < 5; identification++) {
                arrives(identification);
            }
        }
        isDropped(Counter.DROPPED_ICRC, 5, ReceivedDatagramsTest::flipABit);
        arrives(0);
        // Not the successor of 0.
        isDropped(Counter.DROPPED_ICRC, 2, sent -> {});
        assertThat(recovered()).isZero();
    }

    @Test
    void rubbishIsDroppedAndCounted() throws IOException {
        for (int length : new int[] {0, 1, 11, 15, 16, 500}) {
            long before = node.count(Counter.DROPPED_MALFORMED);
            byte[] rubbish = new byte[length];
            java.util.Arrays.fill(rubbish, (byte) 0xff);
            send(rubbish);
            lab.until("malformed datagram of length " + length, () -> node.count(Counter.DROPPED_MALFORMED) > before);
        }
        send(new byte[RocePacket.DEFAULT_CAPACITY - 28]);
        send(new byte[20_000]);
        lab.until("too long", () -> lab.udp().count(UdpCounter.DROPPED_TOO_LONG) == 2);
        arrives(0);
    }

    @Test
    void aPacketFromAnotherAddressThanThePeersIsDropped() throws IOException {
        try (DatagramSocket stranger = new DatagramSocket(Loopback.ONE_ADDRESS.anyPort(1))) {
            DatagramSocket known = peer;
            peer = stranger;
            // The sender's port is in the ICRC. Its address is not in the table, and so is 127.0.0.1.
            isDropped(Counter.DROPPED_ICRC, 0, sent -> {});
            isDropped(Counter.DROPPED_ADDRESS, 0, sent -> {
                Gid own = node.address();
                Gid seen = Gid.ofAddress(stranger.getLocalAddress());
                sent.ipv4Header().source(seen.ipv4());
                sent.seal();
                assertThat(sent.destinationLo()).isEqualTo(own.low());
            });
            peer = known;
        }
        arrives(0);
    }
}
