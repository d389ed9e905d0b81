// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that break a rule: one NAK, then the completion of the present receive, then the other receives flushed, and
 * no further answer.
 */
class ResponderErrorsTest extends OneDevice {
    private static final int MTU = 256;
    private static final String FLUSHED = "WR_FLUSH_ERR ";

    private Endpoint endpoint;

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
    }

    private void postTwoReceives() {
        endpoint.receive(1, 0, 2 * MTU);
        endpoint.receive(2, 1000, 2 * MTU);
    }

    private void expectEnd(String nak, String event, String... completions) {
        assertThat(peer.received()).containsExactly(nak);
        assertThat(endpoint.receives()).containsExactly(completions);
        assertThat(node.events()).containsExactly(event);
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
        // Later packets are neither executed nor answered.
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        peer.asks(Opcode.RC_SEND_ONLY, 101, 1);
        peer.asks(Opcode.RC_SEND_ONLY, 150, 1);
        assertThat(peer.received()).isEmpty();
        assertThat(endpoint.receives()).isEmpty();
    }

    /** Packets that are illegal as the first packet. */
    static Stream<Arguments> illegalAtTheStart() {
        return Stream.of(
                argumentSet("SEND middle without first", Opcode.RC_SEND_MIDDLE, MTU),
                argumentSet("SEND last without first", Opcode.RC_SEND_LAST, 3),
                argumentSet("WRITE middle without first", Opcode.RC_RDMA_WRITE_MIDDLE, MTU),
                argumentSet("WRITE last without first", Opcode.RC_RDMA_WRITE_LAST, 3),
                argumentSet("READ, which this queue pair does not grant", Opcode.RC_RDMA_READ_REQUEST, 0),
                argumentSet("compare and swap", Opcode.RC_COMPARE_SWAP, 0),
                argumentSet("fetch and add", Opcode.RC_FETCH_ADD, 0),
                argumentSet("FLUSH", Opcode.RC_FLUSH, 0),
                argumentSet("ATOMIC WRITE of seven bytes", Opcode.RC_ATOMIC_WRITE, 7));
    }

    @ParameterizedTest
    @MethodSource("illegalAtTheStart")
    void refusesWhatMayNotStartAMessage(Opcode opcode, int payload) {
        postTwoReceives();
        peer.sends(opcode, 100, payload);
        expectEnd("NAK(1) 100 msn 0", "QP_REQ_ERR", FLUSHED + 1, FLUSHED + 2);
    }

    /** Packets that are illegal inside a SEND. */
    static Stream<Arguments> illegalInsideASend() {
        return Stream.of(
                argumentSet("first again", Opcode.RC_SEND_FIRST, MTU),
                argumentSet("only", Opcode.RC_SEND_ONLY, 3),
                argumentSet("WRITE only", Opcode.RC_RDMA_WRITE_ONLY, 3),
                argumentSet("WRITE middle", Opcode.RC_RDMA_WRITE_MIDDLE, MTU),
                argumentSet("WRITE last with immediate", Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, 3),
                argumentSet("READ", Opcode.RC_RDMA_READ_REQUEST, 0),
                argumentSet("middle not full", Opcode.RC_SEND_MIDDLE, MTU - 1),
                argumentSet("middle too long", Opcode.RC_SEND_MIDDLE, MTU + 1),
                argumentSet("last without a byte", Opcode.RC_SEND_LAST, 0),
                argumentSet("last too long", Opcode.RC_SEND_LAST, MTU + 1));
    }

    @ParameterizedTest
    @MethodSource("illegalInsideASend")
    void refusesWhatMayNotContinueASend(Opcode opcode, int payload) {
        postTwoReceives();
        peer.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        peer.sends(opcode, 101, payload);
        expectEnd("NAK(1) 101 msn 0", "QP_REQ_ERR", "REM_INV_REQ_ERR 1", FLUSHED + 2);
    }

    @ParameterizedTest
    @MethodSource("wrongLengthsAtTheStart")
    void refusesALengthThatDoesNotFitThePathMtu(Opcode opcode, int payload) {
        postTwoReceives();
        peer.sends(opcode, 100, payload);
        expectEnd("NAK(1) 100 msn 0", "QP_REQ_ERR", "REM_INV_REQ_ERR 1", FLUSHED + 2);
    }

    static Stream<Arguments> wrongLengthsAtTheStart() {
        return Stream.of(
                argumentSet("first not full", Opcode.RC_SEND_FIRST, MTU - 1),
                argumentSet("first too long", Opcode.RC_SEND_FIRST, MTU + 1),
                argumentSet("first without a byte", Opcode.RC_SEND_FIRST, 0),
                argumentSet("only too long", Opcode.RC_SEND_ONLY, MTU + 1),
                argumentSet("only with immediate too long", Opcode.RC_SEND_ONLY_WITH_IMMEDIATE, MTU + 1));
    }

    /** First packets of a WRITE with a RETH that contradicts the payload. */
    static Stream<Arguments> lyingReths() {
        return Stream.of(
                argumentSet("only, one byte less", Opcode.RC_RDMA_WRITE_ONLY, 10, 9L),
                argumentSet("only, one byte more", Opcode.RC_RDMA_WRITE_ONLY, 10, 11L),
                argumentSet("only without payload", Opcode.RC_RDMA_WRITE_ONLY, 0, 1L),
                argumentSet("only with payload of none", Opcode.RC_RDMA_WRITE_ONLY, 1, 0L),
                argumentSet("first of a single packet", Opcode.RC_RDMA_WRITE_FIRST, MTU, (long) MTU),
                argumentSet("first of less than a packet", Opcode.RC_RDMA_WRITE_FIRST, MTU, 1L),
                argumentSet("first of nothing", Opcode.RC_RDMA_WRITE_FIRST, MTU, 0L),
                argumentSet("longer than 2^31", Opcode.RC_RDMA_WRITE_FIRST, MTU, (1L << 31) + 1));
    }

    @ParameterizedTest
    @MethodSource("lyingReths")
    void refusesAWriteWhoseRethDoesNotFitItsPayload(Opcode opcode, int payload, long length) {
        peer.writes(opcode, 100, payload, node.region().address(), node.region().rkey(), length);
        expectEnd("NAK(1) 100 msn 0", "QP_REQ_ERR");
        assertThat(node.bytes(0, 300)).containsOnly(0);
    }

    /** Continuations of a WRITE of 2 * MTU + 10 that contradict its RETH. */
    static Stream<Arguments> lyingContinuations() {
        return Stream.of(
                argumentSet("last too early", Opcode.RC_RDMA_WRITE_LAST, 10),
                argumentSet("last with a full packet too early", Opcode.RC_RDMA_WRITE_LAST, MTU),
                argumentSet("middle not full", Opcode.RC_RDMA_WRITE_MIDDLE, 10),
                argumentSet("SEND middle", Opcode.RC_SEND_MIDDLE, MTU),
                argumentSet("first again", Opcode.RC_RDMA_WRITE_FIRST, MTU));
    }

    @ParameterizedTest
    @MethodSource("lyingContinuations")
    void refusesAWriteWhoseMiddleContradictsItsReth(Opcode opcode, int payload) {
        beginWrite(2 * MTU + 10);
        peer.sends(opcode, 101, payload);
        expectEnd("NAK(1) 101 msn 0", "QP_REQ_ERR");
        assertThat(node.bytes(MTU, MTU)).containsOnly(0);
    }

    @ParameterizedTest
    @MethodSource("lyingEnds")
    void refusesAWriteWhoseEndContradictsItsReth(Opcode opcode, int payload) {
        beginWrite(MTU + 10);
        peer.sends(opcode, 101, payload);
        expectEnd("NAK(1) 101 msn 0", "QP_REQ_ERR");
        assertThat(node.bytes(MTU, MTU)).containsOnly(0);
    }

    static Stream<Arguments> lyingEnds() {
        return Stream.of(
                argumentSet("last one byte short", Opcode.RC_RDMA_WRITE_LAST, 9),
                argumentSet("last one byte too long", Opcode.RC_RDMA_WRITE_LAST, 11),
                argumentSet("middle beyond the end", Opcode.RC_RDMA_WRITE_MIDDLE, MTU));
    }

    private void beginWrite(long length) {
        peer.writes(
                Opcode.RC_RDMA_WRITE_FIRST,
                100,
                MTU,
                node.region().address(),
                node.region().rkey(),
                length);
        assertThat(peer.received()).containsExactly("ACK 100 msn 0");
    }

    @Test
    void refusesAWriteOneByteBeforeOrAfterTheRegion() throws VerbsException {
        MemoryRegion region = node.domain()
                .registerMemory(node.memory().asSlice(512, 64), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, 64, region.address(), region.rkey(), 64);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
        for (int shift : new int[] {-1, 1}) {
            Endpoint other = node.endpoint();
            other.connect(peer, Connection.USUAL);
            peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, 64, region.address() + shift, region.rkey(), 64);
            assertThat(peer.received()).containsExactly("NAK(2) 100 msn 0");
            assertThat(other.state()).isEqualTo(QpState.ERR);
        }
        assertThat(node.events()).containsExactly("QP_ACCESS_ERR", "QP_ACCESS_ERR");
        assertThat(node.bytes(511, 1)).containsExactly(0);
        assertThat(node.bytes(576, 1)).containsExactly(0);
    }

    @Test
    void refusesAWriteThatWrapsAroundTheAddressSpace() {
        peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, 64, -32, node.region().rkey(), 64);
        expectEnd("NAK(2) 100 msn 0", "QP_ACCESS_ERR");
    }

    @Test
    void aWriteOfTheLongestMessageFailsOnlyForItsKey() {
        peer.writes(
                Opcode.RC_RDMA_WRITE_FIRST,
                100,
                MTU,
                node.region().address(),
                node.region().rkey(),
                1L << 31);
        expectEnd("NAK(2) 100 msn 0", "QP_ACCESS_ERR");
    }

    @Test
    void refusesAnUnknownKey() {
        peer.writes(
                Opcode.RC_RDMA_WRITE_ONLY,
                100,
                1,
                node.region().address(),
                node.region().rkey() ^ 1,
                1);
        expectEnd("NAK(2) 100 msn 0", "QP_ACCESS_ERR");
    }

    @Test
    void refusesAKeyWithoutTheRight() throws VerbsException {
        MemoryRegion region = node.domain().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE);
        peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, 1, region.address(), region.rkey(), 1);
        expectEnd("NAK(2) 100 msn 0", "QP_ACCESS_ERR");
    }

    @Test
    void refusesAKeyOfAnotherDomain() throws VerbsException {
        ProtectionDomain other = node.device().allocatePd();
        MemoryRegion region = other.registerMemory(node.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, 1, region.address(), region.rkey(), 1);
        expectEnd("NAK(2) 100 msn 0", "QP_ACCESS_ERR");
    }

    @Test
    void refusesAWriteWithoutTheRightOfTheQueuePair() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL.granting());
        peer.writes(
                Opcode.RC_RDMA_WRITE_ONLY,
                100,
                1,
                node.region().address(),
                node.region().rkey(),
                1);
        expectEnd("NAK(1) 100 msn 0", "QP_REQ_ERR");
    }

    @Test
    void aBadKeyOfAWriteWithImmediateFailsTheReceive() {
        postTwoReceives();
        peer.writes(
                Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, 100, 1, node.region().address(), 0x12345678, 1);
        expectEnd("NAK(2) 100 msn 0", "QP_ACCESS_ERR", "LOC_ACCESS_ERR 1", FLUSHED + 2);
    }

    @Test
    void aRegionThatGoesInTheMiddleOfAWriteTakesNoMore() throws VerbsException {
        MemoryRegion region =
                node.domain().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        peer.writes(Opcode.RC_RDMA_WRITE_FIRST, 100, MTU, region.address(), region.rkey(), MTU + 10);
        assertThat(peer.received()).containsExactly("ACK 100 msn 0");
        region.close();
        // The packet requests an acknowledgement, and gets only the refusal.
        peer.asks(Opcode.RC_RDMA_WRITE_LAST, 101, 10);
        expectEnd("NAK(2) 101 msn 0", "QP_ACCESS_ERR");
        assertThat(node.bytes(MTU, 10)).containsOnly(0);
    }

    @Test
    void aMessageLongerThanTheReceiveIsALengthErrorOnThisSide() {
        endpoint.receive(1, 0, MTU + 5);
        endpoint.receive(2, 1000, MTU);
        peer.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.RC_SEND_LAST, 101, 6);
        expectEnd("NAK(1) 101 msn 0", "QP_REQ_ERR", "LOC_LEN_ERR 1", FLUSHED + 2);
        assertThat(node.bytes(MTU, 10)).containsOnly(0);
    }

    @Test
    void aReceiveIntoMemoryThatMayNotBeWrittenIsAProtectionErrorOnThisSide() throws VerbsException {
        MemoryRegion readOnly = node.domain().registerMemory(node.memory());
        endpoint.receive(wr -> wr.id(1).sge(readOnly, 0, 64));
        endpoint.receive(2, 0, 64);
        peer.sends(Opcode.RC_SEND_ONLY, 100, 6);
        assertProtectionError();
    }

    @Test
    void aReceiveIntoAClosedRegionIsAProtectionErrorOnThisSide() throws VerbsException {
        MemoryRegion region = node.domain().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE);
        endpoint.receive(wr -> wr.id(1).sge(region, 0, 64));
        endpoint.receive(2, 0, 64);
        region.close();
        peer.sends(Opcode.RC_SEND_ONLY, 100, 6);
        assertProtectionError();
    }

    private void assertProtectionError() {
        assertThat(peer.received()).containsExactly("NAK(3) 100 msn 0");
        assertThat(endpoint.receives()).containsExactly("LOC_PROT_ERR 1", FLUSHED + 2);
        assertThat(node.events()).isEmpty();
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
        assertThat(node.bytes(0, 64)).containsOnly(0);
    }

    @Test
    void aReceiveOfAnotherDomainIsAProtectionErrorOnThisSide() throws VerbsException {
        MemoryRegion region = node.device().allocatePd().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE);
        endpoint.receive(wr -> wr.id(1).sge(region, 0, 64));
        endpoint.receive(2, 0, 64);
        peer.sends(Opcode.RC_SEND_ONLY, 100, 6);
        assertProtectionError();
    }

    @Test
    void aFullCompletionQueueEndsTheQueuePairWithoutAnAcknowledgement() throws VerbsException {
        Endpoint small = node.endpoint(QpCapabilities.of(4, 7), node.newCq(), node.newCq(1));
        small.connect(peer, Connection.USUAL);
        Endpoint neighbour =
                node.endpoint(QpCapabilities.of(4, 4), node.newCq(), small.qp().receiveCq());
        neighbour.qp().modify(Connection.USUAL.toInit());
        for (int id = 0; id < 5; id++) {
            small.receive(id, 0, 64);
        }
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
        peer.asks(Opcode.RC_SEND_ONLY, 101, 1);
        assertThat(peer.received()).isEmpty();
        assertThat(node.events()).containsExactly("CQ_ERR");
        assertThat(List.of(small.state(), neighbour.state())).containsOnly(QpState.ERR);
        // Completions from before can still be polled, but no further one is added.
        assertThat(small.receives()).containsExactly("RECV 0 of 1 bytes");
        lab.settle();
        small.receive(9, 0, 64);
        lab.settle();
        assertThatIllegalStateException().isThrownBy(small::receives).withMessageContaining("CQ_ERR");
        assertThat(node.events()).isEmpty();
    }

    @Test
    void outstandingRequestsAreFlushedAtOnceAndNotWhenTheirTimerExpires() {
        endpoint.send(5, 0, 5);
        assertThat(peer.received()).hasSize(1);
        peer.sends(Opcode.RC_SEND_MIDDLE, 100, MTU);
        assertThat(endpoint.sends()).containsExactly(FLUSHED + 5);
    }
}
