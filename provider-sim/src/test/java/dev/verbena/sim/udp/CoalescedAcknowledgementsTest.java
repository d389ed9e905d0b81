// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When an acknowledgement is sent while a thread polls, and which acknowledgements are replaced. */
@Tag("udp")
class CoalescedAcknowledgementsTest {
    private static final Loopback PLACE = Loopback.ONE_ADDRESS;
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int QPN = 17;

    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private final UdpCounters counters = new UdpCounters();
    private final TxQueue txQueue = new TxQueue(counters, DatagramBatching.NONE);
    private final Route route = route();
    private UdpSocket socket;
    private DatagramSocket peer;
    private InetSocketAddress address;
    private int added;

    @BeforeEach
    void open() throws IOException {
        socket = UdpSocket.open(PLACE.anyPort(0));
        peer = new DatagramSocket(PLACE.anyPort(1));
        peer.setSoTimeout(PATIENCE_MILLIS);
        address = (InetSocketAddress) peer.getLocalSocketAddress();
    }

    private static Route route() {
        Gid from = PLACE.gid(0);
        Gid to = PLACE.gid(1);
        return Route.of(from.high(), from.low(), to.high(), to.low(), 0xc000, 0, 64);
    }

    @AfterEach
    void close() {
        socket.close();
        peer.close();
    }

    private void add(Opcode opcode, int qpn, int psn, int syndrome) {
        SimPacket packet = pool.take();
        packet.begin(route, opcode, qpn, psn, true);
        packet.acknowledge(syndrome, psn);
        added++;
        if (!txQueue.follow(packet, address)) {
            packet.encode();
            txQueue.add(packet, socket, address);
        }
    }

    private void acknowledge(int psn) {
        add(Opcode.RC_ACKNOWLEDGE, QPN, psn, Aeth.SYNDROME_ACK_UNLIMITED);
    }

    /** Sends the application's reaction to the received packets. */
    private void request(int psn) {
        add(Opcode.RC_SEND_ONLY, QPN, psn, 0);
        txQueue.flushUrgent();
    }

    /** Returns the packets sent, which must be all added ones except for those replaced; checks each ICRC. */
    private List<String> left() throws IOException {
        assertThat(counters.get(UdpCounter.SENT) + counters.get(UdpCounter.ACKS_REPLACED))
                .as("packets that are accounted for")
                .isEqualTo(added);
        List<String> left = new ArrayList<>();
        RocePacket packet = new RocePacket(Arena.ofAuto());
        DatagramPacket datagram = new DatagramPacket(new byte[RocePacket.DEFAULT_CAPACITY], 4096);
        for (long i = counters.get(UdpCounter.SENT); i > 0; i--) {
            peer.receive(datagram);
            Gid from = PLACE.gid(0);
            Gid to = PLACE.gid(1);
            packet.begin(from.high(), from.low(), to.high(), to.low(), socket.port(), 0, 64);
            int length = datagram.getLength();
            MemorySegment.copy(
                    MemorySegment.ofArray(datagram.getData()), 0, packet.segment(), packet.bthOffset(), length);
            packet.received(length);
            packet.parse(packet.length());
            assertThat(packet.icrcValid()).isTrue();
            String kind = packet.opcode() == Opcode.RC_ACKNOWLEDGE
                    ? packet.aeth().kind() + " to " + packet.bth().destinationQpn() + " msn "
                            + packet.aeth().msn()
                    : "request";
            left.add(kind + " psn " + packet.bth().psn());
        }
        return left;
    }

    @Test
    void anAcknowledgementIsSentAtTheNextPollWithoutAReaction() throws IOException {
        acknowledge(5);
        txQueue.endPoll(true);
        assertThat(counters.get(UdpCounter.SENT)).isZero();
        txQueue.endPoll(false);
        assertThat(left()).containsExactly("ACK to 17 msn 5 psn 5");
    }

    @Test
    void anAcknowledgementIsSentThoughEachPollFindsADatagram() throws IOException {
        acknowledge(5);
        txQueue.endPoll(true);
        txQueue.endPoll(true);
        assertThat(left()).containsExactly("ACK to 17 msn 5 psn 5");
    }

    @Test
    void anAcknowledgementIsHeldAfterAReaction() throws IOException {
        acknowledge(5);
        txQueue.endPoll(true);
        request(70);
        for (int look = 1; look < AckCoalescer.MAX_POLLS; look++) {
            txQueue.endPoll(look % 3 == 0);
            assertThat(counters.get(UdpCounter.SENT)).isEqualTo(1);
        }
        txQueue.endPoll(false);
        assertThat(left()).containsExactly("request psn 70", "ACK to 17 msn 5 psn 5");
    }

    @Test
    void aLaterAcknowledgementReplacesTheHeldOne() throws IOException {
        acknowledge(0xff_ffff);
        txQueue.endPoll(true);
        request(70);
        txQueue.endPoll(false);
        acknowledge(0);
        txQueue.endPoll(true);
        txQueue.endPoll(false);
        assertThat(left()).containsExactly("request psn 70", "ACK to 17 msn 0 psn 0");
    }

    @Test
    void aHeldAcknowledgementIsSentWhenThePeerAcknowledgesTheReaction() throws IOException {
        acknowledge(5);
        txQueue.endPoll(true);
        request(70);
        txQueue.onResponse(69);
        txQueue.endPoll(true);
        assertThat(counters.get(UdpCounter.SENT)).isEqualTo(1);
        txQueue.onResponse(70);
        txQueue.endPoll(true);
        assertThat(left()).containsExactly("request psn 70", "ACK to 17 msn 5 psn 5");
    }

    @Test
    void aRequestToAnotherPeerDoesNotHoldAnAcknowledgement() throws IOException {
        acknowledge(5);
        txQueue.endPoll(true);
        add(Opcode.RC_SEND_ONLY, QPN + 1, 70, 0);
        txQueue.flushUrgent();
        txQueue.endPoll(false);
        assertThat(left()).containsExactly("request psn 70", "ACK to 17 msn 5 psn 5");
    }

    @Test
    void aFlushSendsHeldAcknowledgements() throws IOException {
        acknowledge(5);
        txQueue.endPoll(true);
        request(70);
        txQueue.flush();
        assertThat(left()).containsExactly("request psn 70", "ACK to 17 msn 5 psn 5");
    }

    @Test
    void aLimitedNumberOfAcknowledgementsIsReplaced() throws IOException {
        for (int psn = 0; psn <= AckCoalescer.MAX_REPLACED; psn++) {
            assertThat(counters.get(UdpCounter.SENT)).isEqualTo(psn);
            acknowledge(psn);
            txQueue.endPoll(true);
            request(100 + psn);
        }
        assertThat(left()).contains("ACK to 17 msn 16 psn 16").hasSize(AckCoalescer.MAX_REPLACED + 2);
    }

    @Test
    void onlyALaterAcknowledgementOfTheSameQueuePairReplacesAHeldOne() throws IOException {
        acknowledge(5);
        request(70);
        add(Opcode.RC_ACKNOWLEDGE, QPN + 1, 6, Aeth.SYNDROME_ACK_UNLIMITED);
        request(71);
        acknowledge(6);
        txQueue.flush();
        acknowledge(7);
        request(72);
        add(Opcode.RC_ACKNOWLEDGE, QPN, 8, Aeth.NAK_PSN_SEQUENCE);
        request(73);
        acknowledge(9);
        txQueue.flush();
        acknowledge(10);
        request(74);
        // An earlier PSN, as for a duplicate request.
        acknowledge(9);
        txQueue.flush();
        assertThat(left())
                .filteredOn(each -> !each.startsWith("request"))
                .containsExactly(
                        "ACK to 17 msn 5 psn 5",
                        "ACK to 18 msn 6 psn 6",
                        "ACK to 17 msn 6 psn 6",
                        "ACK to 17 msn 7 psn 7",
                        "NAK to 17 msn 8 psn 8",
                        "ACK to 17 msn 9 psn 9",
                        "ACK to 17 msn 10 psn 10",
                        "ACK to 17 msn 9 psn 9");
    }

    @Test
    void aLaterResponseIsSentAfterTheHeldAcknowledgement() throws IOException {
        acknowledge(5);
        request(70);
        add(Opcode.RC_ATOMIC_ACKNOWLEDGE, QPN, 6, Aeth.SYNDROME_ACK_UNLIMITED);
        acknowledge(7);
        txQueue.flush();
        assertThat(left())
                .containsExactly("request psn 70", "ACK to 17 msn 5 psn 5", "request psn 6", "ACK to 17 msn 7 psn 7");
    }
}
