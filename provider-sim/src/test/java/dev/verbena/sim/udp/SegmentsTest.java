// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.Ports;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Segment batches: the packets that a peer without support for them receives. */
@Tag("udp")
class SegmentsTest {
    private static final int PATIENCE_MILLIS = 60_000;

    private final ThreadRuntime runtime = new ThreadRuntime(1);

    static List<Loopback> places() {
        return Loopback.all();
    }

    @BeforeEach
    void onlyWhereTheSystemHasIt() throws Exception {
        assumeFalse(Loopback.isPortable(), "needs native calls");
        try (UdpSocket socket = UdpSocket.open(Loopback.ONE_ADDRESS.anyPort(0))) {
            socket.findDescriptor();
            assumeTrue(socket.hasDescriptor() && socket.mergesDatagrams(), "needs UDP_SEGMENT and UDP_GRO");
        }
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    private UdpFabric fabric(Loopback place, DatagramSocket peer) {
        UdpFabric fabric = new UdpFabric(runtime);
        fabric.endpoint(place.gid(0), place.anyPort(0));
        fabric.endpoint(place.gid(1), (InetSocketAddress) peer.getLocalSocketAddress());
        return fabric;
    }

    private static DatagramSocket peer(Loopback place) throws Exception {
        DatagramSocket peer = new DatagramSocket(place.anyPort(1));
        peer.setSoTimeout(PATIENCE_MILLIS);
        return peer;
    }

    /** Returns the payload lengths that arrive. Checks the ICRC of each packet with the given identification. */
    private static List<Integer> take(DatagramSocket peer, Loopback place, int port, int... identifications)
            throws Exception {
        List<Integer> lengths = new ArrayList<>();
        RocePacket packet = new RocePacket(Arena.ofAuto());
        DatagramPacket datagram = new DatagramPacket(new byte[65_535], 65_535);
        for (int identification : identifications) {
            peer.receive(datagram);
            Gid from = place.gid(0);
            Gid to = place.gid(1);
            packet.begin(from.high(), from.low(), to.high(), to.low(), port, 0, 64);
            int length = datagram.getLength();
            MemorySegment.copy(
                    MemorySegment.ofArray(datagram.getData()), 0, packet.segment(), packet.bthOffset(), length);
            packet.received(length);
            if (from.isIpv4()) {
                packet.ipv4Header().identification(identification);
                packet.ipv4Header().headerChecksum(packet.ipv4Header().computeChecksum());
            }
            assertThat(packet.parse(packet.length())).isEqualTo(PacketDefect.OK);
            assertThat(packet.icrcValid())
                    .as("ICRC of PSN %d with identification %d", packet.bth().psn(), identification)
                    .isTrue();
            assertThat(packet.bth().psn()).isEqualTo(lengths.size());
            lengths.add(packet.payloadLength());
        }
        return lengths;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void eachHasTheIcrcOfTheIdentificationThatTheSystemGivesIt(Loopback place) throws Exception {
        try (DatagramSocket peer = peer(place);
                UdpFabric fabric = fabric(place, peer)) {
            FabricPort port = fabric.attach("sim0", List.of(place.gid(0)), SimPacket::release);
            // A longer packet cannot join the segment batch before it; a shorter one can, and ends it.
            int[] lengths = {1024, 1000, 1000, 1000, 4, 4, 2000, 8};
            int[] identifications = {0, 1, 0, 1, 2, 0, 0, 1};
            for (int psn = 0; psn < lengths.length; psn++) {
                port.add(Ports.packet(port, place.gid(0), place.gid(1), psn, lengths[psn]));
            }
            assertThat(fabric.count(UdpCounter.SENT)).isZero();
            port.flush();
            assertThat(fabric.count(UdpCounter.SENT)).isEqualTo(lengths.length);
            int from = fabric.endpoint(place.gid(0)).getPort();
            assertThat(take(peer, place, from, identifications)).containsExactly(1024, 1000, 1000, 1000, 4, 4, 2000, 8);
            port.send(Ports.packet(port, place.gid(0), place.gid(1), 0, 12));
            assertThat(take(peer, place, from, 0)).containsExactly(12);
        }
    }

    @Test
    void packetsAreSentSinglyAfterTheSystemRefusedSegments() throws Exception {
        Loopback place = Loopback.all().getLast();
        try (DatagramSocket peer = peer(place);
                UdpFabric fabric = fabric(place, peer)) {
            FabricPort port = fabric.attach("sim0", List.of(place.gid(0)), SimPacket::release);
            InetSocketAddress own = fabric.endpoint(place.gid(0));
            // Linux does not cut datagrams without checksum.
            NativeSocketOptions.enable(own, NativeSocketOptions.NO_CHECK6_TX);
            NativeSocketOptions.enable(
                    (InetSocketAddress) peer.getLocalSocketAddress(), NativeSocketOptions.NO_CHECK6_RX);
            for (int round = 1; round <= 2; round++) {
                for (int psn = 0; psn < 3; psn++) {
                    port.add(Ports.packet(port, place.gid(0), place.gid(1), psn, 100));
                }
                port.flush();
                assertThat(take(peer, place, own.getPort(), 0, 0, 0)).containsExactly(100, 100, 100);
                assertThat(fabric.count(UdpCounter.SENT)).isEqualTo(3L * round);
                assertThat(fabric.count(UdpCounter.SEGMENTATION_REFUSED)).isEqualTo(1);
            }
        }
    }

    @Test
    void requestsThatArriveTogetherHaveOneAcknowledgement() throws Exception {
        Gid own = Loopback.ONE_ADDRESS.gid(1);
        List<String> answers = Collections.synchronizedList(new ArrayList<>());
        try (UdpLab lab = new UdpLab(Loopback.ONE_ADDRESS)) {
            Node node = lab.node(0);
            Endpoint endpoint = node.endpoint();
            Connection.USUAL.psns(1, 500).apply(endpoint.qp(), own, 99);
            FabricPort port = lab.udp().attach("peer", List.of(own), packet -> {
                answers.add(packet.aeth().kind() + " " + packet.bth().psn() + " msn "
                        + packet.aeth().msn());
                packet.release();
            });
            // Repeats until packets have arrived together with the first, which is received by itself.
            int psn = 500;
            do {
                answers.clear();
                receive(endpoint, 5);
                send(port, node, endpoint, psn, psn + 1, psn + 2, psn + 3, psn + 4);
                psn += 5;
                String last = "ACK " + (psn - 1) + " msn " + (psn - 500);
                lab.until("an acknowledgement of all", () -> answers.contains(last));
            } while (answers.size() > 1);
            // The packets before a gap are acknowledged before the NAK of the gap. The first may have been received by
            // itself again.
            receive(endpoint, 2);
            send(port, node, endpoint, psn, psn + 1, psn + 3);
            int done = psn + 2 - 500;
            String nak = "NAK " + (psn + 2) + " msn " + done;
            lab.until("a negative acknowledgement", () -> answers.contains(nak));
            assertThat(answers).endsWith("ACK " + (psn + 1) + " msn " + done, nak);
        }
    }

    private static void receive(Endpoint endpoint, int count) {
        for (int i = 0; i < count; i++) {
            endpoint.receive(i, 0, 100);
        }
    }

    private static void send(FabricPort port, Node node, Endpoint to, int... psns) {
        for (int psn : psns) {
            SimPacket packet = Ports.packet(port, Loopback.ONE_ADDRESS.gid(1), node.address(), psn, 100);
            packet.bth().destinationQpn(to.qp().number()).ackRequest(true);
            port.add(packet);
        }
        port.flush();
    }

    @Test
    void damagedPacketsLeaveAsTheyAre() throws Exception {
        Loopback place = Loopback.ONE_ADDRESS;
        try (DatagramSocket peer = peer(place);
                UdpFabric fabric = fabric(place, peer)) {
            FabricPort port = fabric.attach("sim0", List.of(place.gid(0)), SimPacket::release);
            for (int psn = 0; psn < 3; psn++) {
                SimPacket packet = Ports.packet(port, place.gid(0), place.gid(1), psn, 100);
                packet.udpHeader().sourcePort(fabric.endpoint(place.gid(0)).getPort());
                packet.seal();
                packet.trusted(psn != 1);
                port.add(packet);
            }
            port.flush();
            assertThat(take(peer, place, fabric.endpoint(place.gid(0)).getPort(), 0, 0, 0))
                    .containsExactly(100, 100, 100);
        }
    }
}
