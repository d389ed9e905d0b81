// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.wire.Opcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The reactions of an unreliable connection to hand-made packets; it never answers. */
class UcReceiveTest {
    private static final int MTU = 256;

    private final Lab lab = new Lab();
    private Node node;
    private ScriptedPeer peer;
    private Endpoint receiver;

    @BeforeEach
    void connect() throws VerbsException {
        connect(lab.node("sim0", "192.0.2.1"));
    }

    private void connect(Node of) throws VerbsException {
        node = of;
        if (peer == null) {
            peer = lab.scriptedPeer("192.0.2.9");
        }
        receiver = node.endpoint(QpType.UC);
        receiver.connect(peer, Connection.USUAL);
    }

    @AfterEach
    void neverAnswers() {
        assertThat(peer.received()).isEmpty();
        lab.close();
    }

    private void assertGoesOn() {
        assertThat(receiver.receives()).isEmpty();
        assertThat(receiver.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void aMessageOfSeveralPacketsIsReceivedWhole() {
        receiver.receive(1, 0, 1000);
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.UC_SEND_MIDDLE, 101, MTU);
        assertThat(receiver.receives()).isEmpty();
        peer.sends(
                Opcode.UC_SEND_LAST_WITH_IMMEDIATE,
                102,
                3,
                packet -> packet.immDt().data(5));
        assertThat(receiver.receives()).containsExactly("RECV 1 of 515 bytes, immediate 0x5");
        assertThat(node.bytes(0, 515)).isEqualTo(ScriptedPeer.payload(515));
        assertThat(node.bytes(515, 1)).containsExactly(0);
    }

    @Test
    void theRestOfAMessageIsDroppedAfterAGapAndItsReceiveIsReused() {
        receiver.receive(1, 0, 1000);
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.UC_SEND_MIDDLE, 102, MTU);
        peer.sends(Opcode.UC_SEND_LAST, 103, 3);
        assertGoesOn();
        assertThat(node.count(Counter.DROPPED_INCOMPLETE)).isEqualTo(2);
        peer.sends(Opcode.UC_SEND_ONLY, 104, 9);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 9 bytes");
        assertThat(node.bytes(0, 9)).isEqualTo(ScriptedPeer.payload(9));
        assertThat(node.bytes(MTU, 9)).containsOnly(0);
    }

    @Test
    void aFirstPacketIsAcceptedWithAnyPsn() {
        receiver.receive(1, 0, 100);
        receiver.receive(2, 100, 100);
        peer.sends(Opcode.UC_SEND_ONLY, 5000, 5);
        peer.sends(Opcode.UC_SEND_ONLY, 7, 6);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 5 bytes", "RECV 2 of 6 bytes");
    }

    @Test
    void aMiddleOrLastOfNothingIsDropped() {
        receiver.receive(1, 0, 1000);
        peer.sends(Opcode.UC_SEND_MIDDLE, 100, MTU);
        peer.sends(Opcode.UC_SEND_LAST, 101, 5);
        assertThat(node.count(Counter.DROPPED_INCOMPLETE)).isEqualTo(2);
        assertGoesOn();
    }

    @Test
    void aMessageThatInterruptsAnotherIsReceived() {
        receiver.receive(1, 0, 1000);
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.UC_SEND_ONLY, 101, 4);
        peer.sends(Opcode.UC_SEND_LAST, 102, 4);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 4 bytes");
        assertThat(node.count(Counter.DROPPED_INCOMPLETE)).isEqualTo(1);
    }

    @Test
    void softRoceDropsAMessageThatInterruptsAnotherAndTakesTheNext() throws VerbsException {
        connect(lab.node(
                "sim1",
                "192.0.2.2",
                profile -> profile.toBuilder()
                        .with(Quirk.UC_DROPS_INTERRUPTING_MESSAGE)
                        .build()));
        receiver.receive(1, 0, 1000);
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.UC_SEND_ONLY, 101, 4);
        assertThat(receiver.receives()).isEmpty();
        peer.sends(Opcode.UC_SEND_ONLY, 102, 6);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 6 bytes");
    }

    @Test
    void aWriteIsPlacedAndCompletesAReceiveOnlyWithImmediateData() {
        receiver.receive(1, 0, 10);
        long target = node.region().address() + 4096;
        int key = node.region().rkey();
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 100, MTU, target, key, MTU + 5);
        peer.sends(Opcode.UC_RDMA_WRITE_LAST, 101, 5);
        assertThat(receiver.receives()).isEmpty();
        assertThat(node.bytes(4096, MTU + 5)).isEqualTo(ScriptedPeer.payload(MTU + 5));
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 102, MTU, target, key, MTU + 6);
        peer.sends(
                Opcode.UC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                103,
                6,
                packet -> packet.immDt().data(1));
        assertThat(receiver.receives()).containsExactly("RECV_RDMA_WITH_IMM 1 of 262 bytes, immediate 0x1");
    }

    @Test
    void aMessageWithoutAReceiveIsLostWhole() {
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU);
        receiver.receive(1, 0, 1000);
        peer.sends(Opcode.UC_SEND_LAST, 101, 5);
        assertThat(node.count(Counter.DROPPED_NO_RECEIVE)).isEqualTo(1);
        assertGoesOn();
        peer.sends(Opcode.UC_SEND_ONLY, 102, 5);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 5 bytes");
    }

    @Test
    void aWriteThatIsNotGrantedIsDroppedWhole() throws VerbsException {
        byte[] before = node.bytes(0, 1024);
        long address = node.region().address();
        int key = node.region().rkey();
        peer.writes(Opcode.UC_RDMA_WRITE_ONLY, 100, 5, address, key ^ 1, 5);
        peer.writes(Opcode.UC_RDMA_WRITE_ONLY, 101, 5, address - 1, key, 5);
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 102, MTU, address + Node.MEMORY - MTU, key, MTU + 1);
        peer.sends(Opcode.UC_RDMA_WRITE_LAST, 103, 1);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(3);
        assertThat(node.count(Counter.DROPPED_INCOMPLETE)).isEqualTo(1);
        assertGoesOn();
        Endpoint closed = node.endpoint(QpType.UC);
        closed.connect(peer, Connection.USUAL.granting(AccessFlag.REMOTE_READ));
        peer.writes(Opcode.UC_RDMA_WRITE_ONLY, 100, 5, address, key, 5);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(4);
        assertThat(node.bytes(0, 1024)).isEqualTo(before);
        assertThat(node.events()).isEmpty();
    }

    @Test
    void packetsOfAWrongLengthEndTheirMessage() {
        receiver.receive(1, 0, 4096);
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU - 1);
        peer.sends(Opcode.UC_SEND_ONLY, 101, MTU + 1);
        peer.sends(Opcode.UC_SEND_FIRST, 102, MTU);
        peer.sends(Opcode.UC_SEND_LAST, 103, 0);
        peer.writes(
                Opcode.UC_RDMA_WRITE_ONLY,
                104,
                5,
                node.region().address(),
                node.region().rkey(),
                6);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(4);
        assertGoesOn();
    }

    @Test
    void packetsAfterOneOfAWrongLengthAreDropped() {
        receiver.receive(1, 0, 4096);
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.UC_SEND_MIDDLE, 101, MTU - 1);
        peer.sends(Opcode.UC_SEND_LAST, 102, 5);
        long address = node.region().address();
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 103, MTU, address, node.region().rkey(), 2 * MTU + 5);
        peer.sends(Opcode.UC_RDMA_WRITE_MIDDLE, 104, MTU - 1);
        peer.sends(Opcode.UC_RDMA_WRITE_LAST, 105, MTU);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(2);
        assertThat(node.count(Counter.DROPPED_INCOMPLETE)).isEqualTo(2);
        assertGoesOn();
    }

    /**
     * A WRITE with contradictory lengths ends at the packet that shows the contradiction, not at the end of the
     * message.
     */
    @Test
    void aWriteOfMoreOrLessThanItAnnouncedIsDroppedFromThereOn() {
        long address = node.region().address();
        int key = node.region().rkey();
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 100, MTU, address, key, 2 * MTU);
        peer.sends(Opcode.UC_RDMA_WRITE_MIDDLE, 101, MTU);
        peer.sends(Opcode.UC_RDMA_WRITE_LAST, 102, 1);
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 103, MTU, address, key, MTU + 5);
        peer.sends(Opcode.UC_RDMA_WRITE_LAST, 104, 4);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(2);
        assertThat(node.count(Counter.DROPPED_INCOMPLETE)).isEqualTo(1);
        assertThat(node.bytes(MTU, MTU)).containsOnly(0);
    }

    @Test
    void aMessageThatDoesNotFitEndsItsReceiveAndTheNextOneIsReceived() {
        receiver.receive(1, 0, 300);
        receiver.receive(2, 1000, 300);
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.UC_SEND_MIDDLE, 101, MTU);
        peer.sends(Opcode.UC_SEND_LAST, 102, 1);
        peer.sends(Opcode.UC_SEND_ONLY, 103, 5);
        assertThat(receiver.receives()).containsExactly("LOC_LEN_ERR 1", "RECV 2 of 5 bytes");
        assertThat(receiver.state()).isEqualTo(QpState.RTS);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(1);
        assertThat(node.count(Counter.DROPPED_INCOMPLETE)).isEqualTo(1);
        assertThat(node.bytes(300, 300)).containsOnly(0);
    }

    @Test
    void aReceiveIntoMemoryThatIsGoneEndsTheQueuePair() throws VerbsException {
        MemoryRegion readOnly = node.domain().registerMemory(node.memory(), AccessFlag.REMOTE_READ);
        receiver.receive(wr -> wr.id(1).sge(readOnly, 0, 100));
        receiver.receive(2, 0, 100);
        peer.sends(Opcode.UC_SEND_ONLY, 100, 5);
        lab.settle();
        assertThat(receiver.receives()).containsExactly("LOC_PROT_ERR 1", "WR_FLUSH_ERR 2");
        assertThat(receiver.state()).isEqualTo(QpState.ERR);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(1);
    }

    @Test
    void aMessageThatFitsToTheByteIsReceived() {
        receiver.receive(1, 0, MTU + 5);
        peer.sends(Opcode.UC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.UC_SEND_LAST, 101, 5);
        assertThat(receiver.receives()).containsExactly("RECV 1 of 261 bytes");
    }

    @Test
    void aWriteWhoseRegionIsClosedMeanwhileIsDroppedFromThereOn() throws VerbsException {
        MemoryRegion region =
                node.domain().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 100, MTU, region.address(), region.rkey(), 3 * MTU);
        region.close();
        peer.sends(Opcode.UC_RDMA_WRITE_MIDDLE, 101, MTU);
        peer.sends(Opcode.UC_RDMA_WRITE_LAST, 102, MTU);
        assertThat(node.bytes(MTU, 2 * MTU)).containsOnly(0);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(1);
        assertThat(node.count(Counter.DROPPED_INCOMPLETE)).isEqualTo(1);
        assertGoesOn();
    }

    /** A first packet is never the whole message. */
    @Test
    void aWriteThatItsFirstPacketWouldCompleteIsDropped() {
        byte[] before = node.bytes(0, MTU);
        long address = node.region().address();
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 100, MTU, address, node.region().rkey(), MTU);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(1);
        assertThat(node.bytes(0, MTU)).isEqualTo(before);
        peer.writes(Opcode.UC_RDMA_WRITE_FIRST, 101, MTU, address, node.region().rkey(), MTU + 1);
        assertThat(node.count(Counter.DROPPED_REFUSED)).isEqualTo(1);
    }

    @Test
    void aFailedReceiveThatFindsNoRoomInItsQueueEndsTheQueuePair() throws VerbsException {
        Endpoint narrow = node.endpoint(QpType.UC, QpCapabilities.of(1, 4), node.newCq(), node.newCq(1));
        narrow.connect(peer, Connection.USUAL);
        narrow.receive(1, 0, 4);
        narrow.receive(2, 0, 4);
        peer.sends(Opcode.UC_SEND_ONLY, 100, 5);
        assertThat(narrow.state()).isEqualTo(QpState.RTS);
        peer.sends(Opcode.UC_SEND_ONLY, 101, 5);
        lab.settle();
        assertThat(narrow.state()).isEqualTo(QpState.ERR);
        assertThat(node.events()).contains("CQ_ERR");
    }

    @Test
    void theFirstPacketInRtrRaisesCommEst() throws VerbsException {
        Endpoint early = node.endpoint(QpType.UC);
        early.qp().modify(Connection.USUAL.toInit());
        early.qp().modify(Connection.USUAL.toUnreliableRtr(peer.address(), ScriptedPeer.QPN));
        peer.talksTo(early);
        early.receive(1, 0, 100);
        peer.sends(Opcode.UC_SEND_ONLY, 100, 5);
        peer.sends(Opcode.UC_SEND_ONLY, 101, 5);
        assertThat(early.receives()).containsExactly("RECV 1 of 5 bytes");
        assertThat(node.events()).containsExactly("COMM_EST");
    }

    @Test
    void aCompletionHasAGlobalRouteWithSoftRoceOnly() throws VerbsException {
        assertThat(receivedWithGlobalRoute()).isFalse();
        connect(lab.node(
                "sim1",
                "192.0.2.2",
                profile -> profile.toBuilder().with(Quirk.GRH_FLAG_ON_CONNECTED).build()));
        assertThat(receivedWithGlobalRoute()).isTrue();
    }

    private boolean receivedWithGlobalRoute() {
        receiver.receive(1, 0, 100);
        peer.sends(Opcode.UC_SEND_ONLY, 100, 5);
        WorkCompletions batch = receiver.qp().receiveCq().newCompletions(1);
        assertThat(receiver.qp().receiveCq().poll(batch)).isEqualTo(1);
        return batch.get(0).hasGlobalRoute();
    }

    @Test
    void onlyThePeerMaySend() throws VerbsException {
        receiver.receive(1, 0, 100);
        ScriptedPeer stranger = lab.scriptedPeer("192.0.2.8");
        Endpoint other = node.endpoint(QpType.UC);
        other.connect(stranger, Connection.USUAL);
        stranger.sends(
                Opcode.UC_SEND_ONLY,
                100,
                5,
                packet -> packet.bth().destinationQpn(receiver.qp().number()));
        assertThat(node.count(Counter.DROPPED_ADDRESS)).isEqualTo(1);
        assertGoesOn();
    }
}
