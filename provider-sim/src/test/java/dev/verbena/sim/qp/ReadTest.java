// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RDMA READ on both sides. Path MTU 256, sends from PSN 200, receives from PSN 100. */
class ReadTest extends OneDevice {
    private static final int MTU = 256;
    private static final String FLUSHED = "WR_FLUSH_ERR ";

    private Endpoint endpoint;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(
                peer,
                Connection.USUAL
                        .granting(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)
                        .readDepth(2));
        region = node.region();
    }

    private void read(long id, long bytes) {
        endpoint.post(wr -> wr.rdmaRead(0x1000, 5).id(id).signaled().sge(region, 0, bytes));
    }

    // The requester.

    @Test
    void oneRequestTakesThePsnsOfAllItsResponses() {
        read(1, 2 * MTU + 1);
        endpoint.send(2, 0, 1);
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_READ_REQUEST 200 of 0 bytes to 0x1000 key 0x5 length 513 A",
                        "SEND_ONLY 203 of 1 bytes A");
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 200, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 201, MTU);
        assertThat(endpoint.sends()).isEmpty();
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, 202, 1);
        assertThat(endpoint.sends()).containsExactly("RDMA_READ 1");
        assertThat(node.bytes(0, 2 * MTU + 1)).isEqualTo(ScriptedPeer.payload(2 * MTU + 1));
        peer.acknowledges(203);
        assertThat(endpoint.sends()).containsExactly("SEND 2");
    }

    @Test
    void anEmptyReadTakesOnePsn() {
        read(1, 0);
        assertThat(peer.received()).containsExactly("RDMA_READ_REQUEST 200 of 0 bytes to 0x1000 key 0x5 length 0 A");
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 0);
        assertThat(endpoint.sends()).containsExactly("RDMA_READ 1");
    }

    @Test
    void keepsToItsDepth() {
        read(1, 1);
        read(2, 1);
        read(3, 1);
        endpoint.send(4, 0, 1);
        assertThat(peer.received()).hasSize(2);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 1);
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_READ_REQUEST 202 of 0 bytes to 0x1000 key 0x5 length 1 A", "SEND_ONLY 203 of 1 bytes A");
    }

    @Test
    void aFencedRequestWaitsForReads() {
        read(1, 1);
        endpoint.send(2, 0, 1);
        endpoint.post(wr -> wr.send().id(3).fence().signaled());
        endpoint.send(4, 0, 1);
        assertThat(peer.received()).hasSize(2);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 1);
        assertThat(peer.received()).hasSize(2);
    }

    @Test
    void aLaterAnswerImpliesThatOneWasLost() {
        read(1, 3 * MTU);
        endpoint.send(2, 0, 1);
        peer.received();
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 200, MTU);
        peer.acknowledges(203);
        // The READ continues where the responses ended, and later requests are retransmitted, too.
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_READ_REQUEST 201 of 0 bytes to 0x1100 key 0x5 length 512 A",
                        "SEND_ONLY 203 of 1 bytes A");
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 201, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, 202, MTU);
        peer.acknowledges(203);
        assertThat(endpoint.sends()).containsExactly("RDMA_READ 1", "SEND 2");
        assertThat(node.bytes(0, 3 * MTU)).isEqualTo(ScriptedPeer.payload(3 * MTU));
    }

    @Test
    void aGapInTheResponsesIsRequestedAgainOnce() {
        read(1, 4 * MTU);
        peer.received();
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 200, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 202, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, 203, MTU);
        assertThat(peer.received()).containsExactly("RDMA_READ_REQUEST 201 of 0 bytes to 0x1100 key 0x5 length 768 A");
        // Late responses fit as well as retransmitted ones.
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 201, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 201, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 202, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, 203, MTU);
        assertThat(endpoint.sends()).containsExactly("RDMA_READ 1");
    }

    @Test
    void anUnansweredReadIsRepeated() throws VerbsException {
        Endpoint other = node.endpoint();
        other.connect(peer, Connection.USUAL.timeout(AckTimeout.ofCode(14), 1));
        other.post(wr -> wr.rdmaRead(0x1000, 5).id(1).sge(region, 0, 2 * MTU));
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 200, MTU);
        peer.received();
        lab.run(Duration.ofMillis(100));
        assertThat(peer.received()).containsExactly("RDMA_READ_REQUEST 201 of 0 bytes to 0x1100 key 0x5 length 256 A");
        lab.run(Duration.ofMillis(100));
        assertThat(other.sends()).containsExactly("RETRY_EXC_ERR 1");
    }

    @Test
    void anAcknowledgementDoesNotAnswerARead() {
        read(1, 1);
        peer.acknowledges(200);
        assertThat(endpoint.sends()).isEmpty();
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        assertThat(node.count(Counter.DROPPED_RESPONSE)).isEqualTo(1);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 1);
        assertThat(endpoint.sends()).containsExactly("RDMA_READ 1");
    }

    @Test
    void responsesOfTheWrongLengthEndTheQueuePair() {
        read(1, MTU + 2);
        read(2, 1);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 200, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, 201, 1);
        assertThat(endpoint.sends()).containsExactly("LOC_LEN_ERR 1", FLUSHED + 2);
    }

    @Test
    void theEndTooEarlyEndsTheQueuePair() {
        read(1, 3 * MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 200, MTU);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, 201, MTU);
        assertThat(endpoint.sends()).containsExactly("BAD_RESP_ERR 1");
    }

    @Test
    void dataForARegionThatIsGoneIsNotWritten() throws VerbsException {
        MemoryRegion gone = node.domain().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE);
        endpoint.post(wr -> wr.rdmaRead(0x1000, 5).id(1).sge(gone, 0, 8));
        gone.close();
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 8);
        assertThat(endpoint.sends()).containsExactly("LOC_PROT_ERR 1");
        assertThat(node.bytes(0, 8)).containsOnly(0);
    }

    @Test
    void withoutAnyDepthAReadFails() throws VerbsException {
        Endpoint other = node.endpoint();
        other.connect(peer, Connection.USUAL.readDepth(0));
        other.post(wr -> wr.rdmaRead(0x1000, 5).id(1).sge(region, 0, 8));
        assertThat(peer.received()).isEmpty();
        assertThat(other.sends()).containsExactly("LOC_QP_OP_ERR 1");
    }

    // The responder.

    @Test
    void answersWithAsManyPacketsAsTheMtuAsksFor() {
        node.fill(0, 600, 3);
        peer.reads(100, region.address() + 10, region.rkey(), 2 * MTU + 1);
        peer.asks(Opcode.RC_RDMA_WRITE_ONLY, 103, 0);
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_READ_RESPONSE_FIRST 100 of 256 bytes msn 1",
                        "RDMA_READ_RESPONSE_MIDDLE 101 of 256 bytes",
                        "RDMA_READ_RESPONSE_LAST 102 of 1 bytes msn 1",
                        "ACK 103 msn 2");
        assertThat(node.events()).isEmpty();
    }

    @Test
    void carriesTheBytes() {
        node.fill(0, 100, 3);
        peer.reads(100, region.address() + 10, region.rkey(), 77);
        assertThat(peer.lastPayload()).isEqualTo(node.bytes(10, 77));
    }

    @Test
    void aRetransmittedReadStartsAtTheRequestedPsn() {
        peer.reads(100, region.address(), region.rkey(), 3 * MTU);
        peer.received();
        peer.reads(101, region.address() + MTU, region.rkey(), 2 * MTU);
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_READ_RESPONSE_FIRST 101 of 256 bytes msn 1",
                        "RDMA_READ_RESPONSE_LAST 102 of 256 bytes msn 1");
        // An earlier part can be repeated after a later one.
        peer.reads(100, region.address(), region.rkey(), MTU);
        assertThat(peer.received()).containsExactly("RDMA_READ_RESPONSE_ONLY 100 of 256 bytes msn 1");
    }

    @Test
    void aRepetitionThatAsksForMoreIsDropped() {
        peer.reads(100, region.address(), region.rkey(), MTU);
        peer.received();
        peer.reads(100, region.address(), region.rkey(), MTU + 1);
        peer.reads(100, region.address() - 1, region.rkey(), MTU);
        peer.reads(100, region.address(), region.rkey() + 1, MTU);
        peer.reads(99, region.address(), region.rkey(), MTU);
        assertThat(peer.received()).isEmpty();
        assertThat(node.count(Counter.DUPLICATE_REQUEST)).isEqualTo(4);
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void remembersAsManyAsItsDepth() {
        for (int psn = 100; psn < 103; psn++) {
            peer.reads(psn, region.address(), region.rkey(), 1);
        }
        peer.received();
        peer.reads(100, region.address(), region.rkey(), 1);
        assertThat(peer.received()).isEmpty();
        peer.reads(101, region.address(), region.rkey(), 1);
        peer.reads(102, region.address(), region.rkey(), 1);
        assertThat(peer.received()).hasSize(2);
    }

    @Test
    void aDuplicateSendAfterAReadIsNotAcknowledgedAsTheRead() {
        endpoint.receive(1, 0, 10);
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        peer.reads(101, region.address(), region.rkey(), 2 * MTU);
        peer.received();
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(peer.received()).containsExactly("ACK 100 msn 2");
    }

    @Test
    void refusesWhatTheKeyDoesNotGrant() {
        peer.reads(100, region.address() + region.length() - 1, region.rkey(), 2);
        assertThat(peer.received()).containsExactly("NAK(2) 100 msn 0");
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
        assertThat(node.events()).containsExactly("QP_ACCESS_ERR");
    }

    @Test
    void refusesMoreThanAMessageMayHold() {
        peer.reads(100, region.address(), region.rkey(), (1L << 31) + 1);
        assertThat(peer.received()).containsExactly("NAK(1) 100 msn 0");
    }

    @Test
    void aReadOfTheLongestMessageFailsOnlyForItsKey() {
        peer.reads(100, region.address(), region.rkey(), 1L << 31);
        assertThat(peer.received()).containsExactly("NAK(2) 100 msn 0");
    }

    @Test
    void aRepetitionAfterThePsnsOfAReadIsDropped() {
        peer.reads(100, region.address(), region.rkey(), 2 * MTU);
        peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 102, 5, region.address(), region.rkey(), 5);
        assertThat(peer.received()).hasSize(3);
        peer.reads(102, region.address() + MTU, region.rkey(), 8);
        assertThat(peer.received()).isEmpty();
    }

    @Test
    void anEmptyReadNeedsNoKey() {
        peer.reads(100, 0, 0x1234, 0);
        assertThat(peer.received()).containsExactly("RDMA_READ_RESPONSE_ONLY 100 of 0 bytes msn 1");
    }

    @Test
    void refusesReadsWithoutDepth() throws VerbsException {
        Endpoint other = node.endpoint();
        other.connect(peer, Connection.USUAL.granting(AccessFlag.REMOTE_READ).readDepth(0));
        peer.reads(100, region.address(), region.rkey(), 1);
        assertThat(peer.received()).containsExactly("NAK(1) 100 msn 0");
    }

    // Draining.

    @Test
    void drainingFinishesWhatWasBegun() throws VerbsException {
        read(1, 2 * MTU);
        assertThat(peer.received()).hasSize(1);
        endpoint.qp()
                .modify(QpAttributes.builder()
                        .state(QpState.SQD)
                        .enableSqdAsyncNotify(true)
                        .build());
        endpoint.send(2, 0, 1);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 200, MTU);
        assertThat(node.events()).isEmpty();
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_LAST, 201, MTU);
        assertThat(node.events()).containsExactly("SQ_DRAINED");
        assertThat(endpoint.sends()).containsExactly("RDMA_READ 1");
        peer.received();
        endpoint.qp().modify(QpAttributes.builder().state(QpState.RTS).build());
        assertThat(peer.received()).containsExactly("SEND_ONLY 202 of 1 bytes A");
        peer.answers(Aeth.SYNDROME_ACK_UNLIMITED, 202);
        assertThat(endpoint.sends()).containsExactly("SEND 2");
    }

    @Test
    void aRegionThatGoesWhileItIsReadEndsTheAnswer() throws VerbsException {
        Node reader = lab.node("sim1", "192.0.2.2");
        Endpoint asking = reader.endpoint();
        Endpoint answering = node.endpoint();
        asking.connect(answering, Connection.USUAL.mtu(PathMtu.MTU_256).granting(AccessFlag.REMOTE_READ));
        MemoryRegion gone = node.domain().registerMemory(node.memory(), AccessFlag.REMOTE_READ);
        node.fill(0, Node.MEMORY, 3);
        asking.post(wr -> wr.rdmaRead(gone.address(), gone.rkey()).id(1).sge(reader.region(), 0, Node.MEMORY));
        assertThat(lab.until(() -> node.count(Counter.SENT_PKTS) > 0, Duration.ofSeconds(1)))
                .isTrue();
        gone.close();
        lab.run(Duration.ofSeconds(1));
        assertThat(asking.sends()).containsExactly("REM_ACCESS_ERR 1");
        assertThat(reader.bytes(Node.MEMORY - MTU, MTU)).containsOnly(0);
        assertThat(node.events()).containsExactly("QP_ACCESS_ERR");
        assertThat(answering.state()).isEqualTo(QpState.ERR);
        assertThat(answering.qp().explain().toString())
                .contains(
                        "the peer requested access that is not granted",
                        "belongs to no region or window, or no longer does");
    }
}
