// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomics, ATOMIC_WRITE and FLUSH on both sides. Sends from PSN 200, receives from PSN 100. */
class ReadAtomicRequestsTest extends OneDevice {
    private Endpoint endpoint;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(
                peer,
                Connection.USUAL
                        .granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC, AccessFlag.FLUSH_GLOBAL)
                        .readDepth(3));
        region = node.region();
    }

    private void answersAtomic(int psn, long value) {
        peer.sends(Opcode.RC_ATOMIC_ACKNOWLEDGE, psn, 0, packet -> {
            packet.aeth().initialize(Aeth.SYNDROME_ACK_UNLIMITED, 0);
            packet.atomicAckEth().originalValue(value);
        });
    }

    private long memory(long offset) {
        return node.memory().get(ValueLayout.JAVA_LONG, offset);
    }

    private void memory(long offset, long value) {
        node.memory().set(ValueLayout.JAVA_LONG, offset, value);
    }

    // The requester.

    @Test
    void anAtomicReturnsWhatWasThere() {
        endpoint.post(wr -> wr.compareAndSwap(0x1000, 5, 7, 8).id(1).signaled().sge(region, 0, 8));
        endpoint.post(wr -> wr.fetchAndAdd(0x1008, 5, 9).id(2).signaled().sge(region, 8, 8));
        assertThat(peer.received())
                .containsExactly(
                        "COMPARE_SWAP 200 of 0 bytes at 0x1000 key 0x5 compare 7 swap or add 8 A",
                        "FETCH_ADD 201 of 0 bytes at 0x1008 key 0x5 compare 0 swap or add 9 A");
        answersAtomic(200, 42);
        answersAtomic(201, -43);
        assertThat(endpoint.sends()).containsExactly("COMP_SWAP 1", "FETCH_ADD 2");
        assertThat(memory(0)).isEqualTo(42);
        assertThat(memory(8)).isEqualTo(-43);
    }

    @Test
    void anAnswerForAnotherOperationEndsTheQueuePair() {
        endpoint.send(1, 0, 1);
        answersAtomic(200, 42);
        assertThat(endpoint.sends()).containsExactly("BAD_RESP_ERR 1");
    }

    @Test
    void anAtomicIsNotAnsweredByData() {
        endpoint.post(wr -> wr.fetchAndAdd(0x1008, 5, 9).id(2).sge(region, 8, 8));
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 8);
        assertThat(endpoint.sends()).containsExactly("BAD_RESP_ERR 2");
    }

    @Test
    void atomicWriteAndFlushAreAnsweredByAnEmptyResponse() {
        memory(0, 0x1122334455667788L);
        endpoint.post(wr -> wr.atomicWrite(0x1000, 5).id(1).signaled().sge(region, 0, 8));
        endpoint.post(wr -> wr.flush(0x2000, 6, 100, FlushTarget.RANGE, FlushPlacement.GLOBAL)
                .id(2)
                .signaled());
        assertThat(peer.received())
                .containsExactly(
                        "ATOMIC_WRITE 200 of 8 bytes to 0x1000 key 0x5 length 8 A",
                        "FLUSH 201 of 0 bytes to 0x2000 key 0x6 length 100 placement 1 target 0 A");
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 0);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 201, 0);
        assertThat(endpoint.sends()).containsExactly("ATOMIC_WRITE 1", "FLUSH 2");
    }

    @Test
    void anAtomicWriteMayAlsoBeAcknowledged() {
        endpoint.post(wr -> wr.atomicWrite(0x1000, 5).id(1).signaled().sge(region, 0, 8));
        peer.acknowledges(200);
        assertThat(endpoint.sends()).containsExactly("ATOMIC_WRITE 1");
    }

    @Test
    void allOfThemCountAgainstTheDepth() {
        endpoint.post(wr -> wr.atomicWrite(0x1000, 5).sge(region, 0, 8));
        endpoint.post(wr -> wr.flush(0, 6, 1, FlushTarget.RANGE, FlushPlacement.GLOBAL));
        endpoint.post(wr -> wr.fetchAndAdd(0x1000, 5, 1).sge(region, 0, 8));
        endpoint.post(wr -> wr.fetchAndAdd(0x1000, 5, 1).sge(region, 0, 8));
        assertThat(peer.received()).hasSize(3);
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 0);
        assertThat(peer.received()).hasSize(1);
    }

    @Test
    void theResultOfAnAtomicIsNotWrittenToForbiddenMemory() throws VerbsException {
        MemoryRegion readOnly = node.domain().registerMemory(node.memory(), AccessFlag.REMOTE_READ);
        endpoint.post(wr -> wr.fetchAndAdd(0x1008, 5, 9).id(1).sge(readOnly, 8, 8));
        answersAtomic(200, 42);
        assertThat(endpoint.sends()).containsExactly("LOC_PROT_ERR 1");
        assertThat(memory(8)).isZero();
    }

    // The responder.

    @Test
    void carriesAtomicsOutOnce() {
        memory(16, 5);
        long at = region.address() + 16;
        peer.atomic(Opcode.RC_FETCH_ADD, 100, at, region.rkey(), 0, 3);
        assertThat(peer.received()).containsExactly("ATOMIC_ACKNOWLEDGE 100 of 0 bytes was 5 msn 1");
        peer.atomic(Opcode.RC_COMPARE_SWAP, 101, at, region.rkey(), 8, 1000);
        peer.atomic(Opcode.RC_COMPARE_SWAP, 102, at, region.rkey(), 8, 2000);
        assertThat(peer.received())
                .containsExactly(
                        "ATOMIC_ACKNOWLEDGE 101 of 0 bytes was 8 msn 2",
                        "ATOMIC_ACKNOWLEDGE 102 of 0 bytes was 1000 msn 3");
        assertThat(memory(16)).isEqualTo(1000);
        peer.atomic(Opcode.RC_FETCH_ADD, 100, at, region.rkey(), 0, 3);
        assertThat(peer.received()).containsExactly("ATOMIC_ACKNOWLEDGE 100 of 0 bytes was 5 msn 3");
        assertThat(memory(16)).isEqualTo(1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void remembersTheNewestRequestsWhenTheDepthChanges(int depth) throws VerbsException {
        long at = region.address() + 16;
        for (int psn = 100; psn < 105; psn++) {
            peer.atomic(Opcode.RC_FETCH_ADD, psn, at, region.rkey(), 0, 1);
        }
        endpoint.qp().modify(QpAttributes.builder().state(QpState.SQD).build());
        lab.settle();
        endpoint.qp()
                .modify(QpAttributes.builder()
                        .state(QpState.SQD)
                        .maxDestRdAtomic(depth)
                        .build());
        peer.atomic(Opcode.RC_FETCH_ADD, 105, at, region.rkey(), 0, 1);
        peer.received();
        for (int psn = 102; psn < 106; psn++) {
            peer.atomic(Opcode.RC_FETCH_ADD, psn, at, region.rkey(), 0, 1);
        }
        List<String> repeated = List.of(
                "ATOMIC_ACKNOWLEDGE 102 of 0 bytes was 2 msn 6",
                "ATOMIC_ACKNOWLEDGE 103 of 0 bytes was 3 msn 6",
                "ATOMIC_ACKNOWLEDGE 104 of 0 bytes was 4 msn 6",
                "ATOMIC_ACKNOWLEDGE 105 of 0 bytes was 5 msn 6");
        assertThat(peer.received()).isEqualTo(repeated.subList(Math.max(0, 4 - depth), 4));
    }

    @Test
    void aRepetitionMustBeTheSameRequest() {
        long at = region.address() + 16;
        peer.atomic(Opcode.RC_FETCH_ADD, 100, at, region.rkey(), 0, 3);
        peer.received();
        peer.atomic(Opcode.RC_FETCH_ADD, 100, at, region.rkey(), 0, 4);
        peer.atomic(Opcode.RC_FETCH_ADD, 100, at + 8, region.rkey(), 0, 3);
        peer.atomic(Opcode.RC_FETCH_ADD, 100, at, region.rkey() ^ 1, 0, 3);
        peer.atomic(Opcode.RC_COMPARE_SWAP, 100, at, region.rkey(), 0, 3);
        assertThat(peer.received()).isEmpty();
        assertThat(memory(16)).isEqualTo(3);
    }

    @Test
    void refusesAMisalignedAtomic() {
        peer.atomic(Opcode.RC_FETCH_ADD, 100, region.address() + 4, region.rkey(), 0, 3);
        assertThat(peer.received()).containsExactly("NAK(1) 100 msn 0");
        assertThat(memory(0)).isZero();
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void refusesAnAtomicOnMemoryThatIsMisaligned() throws VerbsException {
        MemoryRegion odd = node.domain()
                .registerMemory(
                        node.memory().asSlice(4, 64),
                        0x4000,
                        EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC));
        peer.atomic(Opcode.RC_FETCH_ADD, 100, 0x4000, odd.rkey(), 0, 3);
        assertThat(peer.received()).containsExactly("NAK(1) 100 msn 0");
    }

    @Test
    void refusesAnAtomicThatIsNotGranted() {
        peer.atomic(Opcode.RC_FETCH_ADD, 100, region.address() + region.length(), region.rkey(), 0, 3);
        assertThat(peer.received()).containsExactly("NAK(2) 100 msn 0");
        assertThat(node.events()).containsExactly("QP_ACCESS_ERR");
    }

    @Test
    void writesEightBytesAtOnceAndOnlyOnce() {
        peer.writes(Opcode.RC_ATOMIC_WRITE, 100, 8, region.address() + 8, region.rkey(), 8);
        assertThat(peer.received()).containsExactly("RDMA_READ_RESPONSE_ONLY 100 of 0 bytes msn 1");
        assertThat(node.bytes(8, 8)).containsOnly(7);
        memory(8, 1);
        peer.writes(Opcode.RC_ATOMIC_WRITE, 100, 8, region.address() + 8, region.rkey(), 8);
        assertThat(peer.received()).containsExactly("RDMA_READ_RESPONSE_ONLY 100 of 0 bytes msn 1");
        assertThat(memory(8)).isEqualTo(1);
    }

    @Test
    void flushesARangeOrAWholeRegion() {
        flush(100, region.address(), 10, Feths.RANGE);
        flush(101, 0, 0, Feths.WHOLE);
        flush(101, 0, 0, Feths.WHOLE);
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_READ_RESPONSE_ONLY 100 of 0 bytes msn 1",
                        "RDMA_READ_RESPONSE_ONLY 101 of 0 bytes msn 2",
                        "RDMA_READ_RESPONSE_ONLY 101 of 0 bytes msn 2");
        flush(102, region.address() + region.length(), 1, Feths.RANGE);
        assertThat(peer.received()).containsExactly("NAK(2) 102 msn 2");
    }

    private static final class Feths {
        static final int RANGE = FlushTarget.RANGE.code();
        static final int WHOLE = FlushTarget.MR.code();
    }

    private void flush(int psn, long address, int length, int target) {
        peer.sends(Opcode.RC_FLUSH, psn, 0, packet -> {
            packet.feth().initialize(target, FlushPlacement.GLOBAL.code());
            packet.reth().virtualAddress(address).remoteKey(region.rkey()).dmaLength(length);
        });
    }

    @Test
    void refusesAPlacementThatTheQueuePairDoesNotGrant() {
        peer.sends(Opcode.RC_FLUSH, 100, 0, packet -> {
            packet.feth().initialize(Feths.WHOLE, FlushPlacement.PERSISTENT.code());
            packet.reth().virtualAddress(0).remoteKey(region.rkey()).dmaLength(0);
        });
        assertThat(peer.received()).containsExactly("NAK(1) 100 msn 0");
    }

    @Test
    void refusesAFlushToNoPlacement() {
        peer.sends(Opcode.RC_FLUSH, 100, 0, packet -> {
            packet.feth().initialize(Feths.WHOLE, 0);
            packet.reth().virtualAddress(0).remoteKey(region.rkey()).dmaLength(0);
        });
        assertThat(peer.received()).containsExactly("NAK(1) 100 msn 0");
    }

    @Test
    void anAtomicWriteNeedsTheRightOfTheQueuePair() throws VerbsException {
        Endpoint other = node.endpoint();
        other.connect(peer, Connection.USUAL.granting(AccessFlag.REMOTE_ATOMIC).readDepth(3));
        peer.writes(Opcode.RC_ATOMIC_WRITE, 100, 8, region.address() + 8, region.rkey(), 8);
        assertThat(peer.received()).containsExactly("NAK(1) 100 msn 0");
        assertThat(memory(8)).isZero();
    }

    @Test
    void requestsExecutedBeforeAResetAreNotAnsweredAgain() throws VerbsException {
        long at = region.address() + 16;
        peer.atomic(Opcode.RC_FETCH_ADD, 100, at, region.rkey(), 0, 3);
        assertThat(peer.received()).hasSize(1);
        endpoint.qp().modify(QpAttributes.reset());
        endpoint.connect(
                peer,
                Connection.USUAL.granting(AccessFlag.REMOTE_ATOMIC).readDepth(3).psns(200, 101));
        peer.atomic(Opcode.RC_FETCH_ADD, 100, at, region.rkey(), 0, 3);
        assertThat(peer.received()).isEmpty();
        assertThat(memory(16)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {Aeth.NAK_REMOTE_ACCESS, Aeth.RNR})
    void aResponseWithTheSyndromeOfARefusalIsABadResponse(int syndrome) {
        endpoint.post(wr -> wr.rdmaRead(0x1000, 5).id(1).sge(region, 0, 8));
        peer.sends(
                Opcode.RC_RDMA_READ_RESPONSE_ONLY,
                200,
                8,
                packet -> packet.aeth().initialize(syndrome, 0));
        assertThat(endpoint.sends()).containsExactly("BAD_RESP_ERR 1");
        assertThat(memory(0)).isZero();
    }

    @Test
    void anAnswerOfBytesIsNoneToAnAtomicWrite() {
        endpoint.post(wr -> wr.atomicWrite(0x1000, 5).id(1).sge(region, 0, 8));
        peer.responds(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 200, 8);
        assertThat(endpoint.sends()).containsExactly("BAD_RESP_ERR 1");
    }
}
