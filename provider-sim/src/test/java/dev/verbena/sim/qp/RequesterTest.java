// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The packets of a work request, the window, and the effect of a request that fails on this side. Path MTU 256, first
 * PSN 200.
 */
class RequesterTest extends OneDevice {
    private static final int MTU = 256;

    private Endpoint endpoint;

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
    }

    @Test
    void cutsASendByThePathMtu() {
        endpoint.send(1, 0, 0);
        endpoint.send(2, 0, MTU);
        endpoint.send(3, 0, MTU + 1);
        endpoint.post(wr -> wr.sendWithImmediate(0xABCD).solicited().sge(node.region(), 0, 3 * MTU));
        endpoint.post(wr -> wr.sendWithImmediate(1).sge(node.region(), 0, 1));
        assertThat(peer.received())
                .containsExactly(
                        "SEND_ONLY 200 of 0 bytes A",
                        "SEND_ONLY 201 of 256 bytes A",
                        "SEND_FIRST 202 of 256 bytes",
                        "SEND_LAST 203 of 1 bytes A",
                        "SEND_FIRST 204 of 256 bytes",
                        "SEND_MIDDLE 205 of 256 bytes",
                        "SEND_LAST_WITH_IMMEDIATE 206 of 256 bytes imm 0xabcd SE A",
                        "SEND_ONLY_WITH_IMMEDIATE 207 of 1 bytes imm 0x1 A");
        assertThat(endpoint.sends()).isEmpty();
    }

    @Test
    void cutsAWriteByThePathMtuAndNamesTheTargetOnce() {
        endpoint.post(wr -> wr.rdmaWrite(0x1000, 0x77).solicited().sge(node.region(), 0, 2 * MTU + 1));
        endpoint.post(wr -> wr.rdmaWrite(0x2000, 0x78));
        endpoint.post(
                wr -> wr.rdmaWriteWithImmediate(0x3000, 0x79, 5).solicited().sge(node.region(), 0, 4));
        endpoint.post(wr -> wr.rdmaWriteWithImmediate(0x4000, 0x7A, 6).sge(node.region(), 0, MTU + 4));
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_WRITE_FIRST 200 of 256 bytes to 0x1000 key 0x77 length 513",
                        "RDMA_WRITE_MIDDLE 201 of 256 bytes",
                        "RDMA_WRITE_LAST 202 of 1 bytes A",
                        "RDMA_WRITE_ONLY 203 of 0 bytes to 0x2000 key 0x78 length 0 A",
                        "RDMA_WRITE_ONLY_WITH_IMMEDIATE 204 of 4 bytes to 0x3000 key 0x79 length 4 imm 0x5 SE A",
                        "RDMA_WRITE_FIRST 205 of 256 bytes to 0x4000 key 0x7a length 260",
                        "RDMA_WRITE_LAST_WITH_IMMEDIATE 206 of 4 bytes imm 0x6 A");
    }

    @Test
    void asksForAnAcknowledgementAfter65PacketsAndSendsAtMost129Ahead() {
        endpoint.send(1, 0, 400 * MTU);
        List<String> packets = peer.received();
        assertThat(packets).hasSize(129);
        assertThat(packets.stream().filter(packet -> packet.endsWith("A")))
                .containsExactly("SEND_MIDDLE 265 of 256 bytes A");
        assertThat(packets.getLast()).isEqualTo("SEND_MIDDLE 328 of 256 bytes");
        peer.acknowledges(250);
        packets = peer.received();
        assertThat(packets).hasSize(51);
        assertThat(packets.getLast()).isEqualTo("SEND_MIDDLE 379 of 256 bytes");
        assertThat(packets.stream().filter(packet -> packet.endsWith("A")))
                .containsExactly("SEND_MIDDLE 331 of 256 bytes A");
    }

    @Test
    void theWindowWrapsWithThePsn() throws VerbsException {
        Endpoint other = node.endpoint();
        other.connect(peer, Connection.USUAL.psns(0xFFFFF0, 100));
        other.send(1, 0, 200 * MTU);
        List<String> packets = peer.received();
        assertThat(packets).hasSize(129);
        assertThat(packets.get(15)).startsWith("SEND_MIDDLE 16777215 ");
        assertThat(packets.get(16)).startsWith("SEND_MIDDLE 0 ");
        peer.acknowledges(112);
        assertThat(peer.received()).hasSize(71);
        peer.acknowledges(183);
        assertThat(other.sends()).containsExactly("SEND 1");
    }

    @Test
    void aRequestOfAnotherDomainFailsWithItsOwnStatusAndTheRestIsFlushed() throws VerbsException {
        MemoryRegion foreign = node.device().allocatePd().registerMemory(node.memory());
        endpoint.send(1, 0, 5);
        endpoint.post(wr -> wr.send().id(2).sge(node.region(), 0, MTU).sge(foreign, 0, 5));
        endpoint.send(3, 0, 5);
        endpoint.receive(4, 0, 5);
        assertThat(peer.received()).containsExactly("SEND_ONLY 200 of 5 bytes A", "SEND_FIRST 201 of 256 bytes");
        assertThat(endpoint.sends()).isEmpty();
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        peer.acknowledges(200);
        assertThat(endpoint.sends()).containsExactly("SEND 1", "LOC_PROT_ERR 2", "WR_FLUSH_ERR 3");
        assertThat(endpoint.receives()).containsExactly("WR_FLUSH_ERR 4");
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
        assertThat(peer.received()).isEmpty();
        assertThat(node.count(Counter.SEND_ERR)).isEqualTo(1);
    }

    @Test
    void aFailureOnThisSideWaitsForARetransmissionOfWhatIsBeforeIt() throws VerbsException {
        MemoryRegion foreign = node.device().allocatePd().registerMemory(node.memory());
        endpoint.send(1, 0, MTU + 5);
        endpoint.post(wr -> wr.send().id(2).sge(foreign, 0, 5));
        assertThat(peer.received()).containsExactly("SEND_FIRST 200 of 256 bytes", "SEND_LAST 201 of 5 bytes A");
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 201);
        assertThat(peer.received()).containsExactly("SEND_LAST 201 of 5 bytes A");
        peer.acknowledges(201);
        assertThat(endpoint.sends()).containsExactly("SEND 1", "LOC_PROT_ERR 2");
    }

    @Test
    void anEmptyEntryNeedsNoValidKey() throws VerbsException {
        MemoryRegion gone = node.domain().registerMemory(node.memory(), AccessFlag.LOCAL_WRITE);
        gone.close();
        endpoint.post(wr -> wr.send().sge(gone, 0, 0).sge(node.region(), 0, 5).sge(gone, 3, 0));
        assertThat(peer.received()).containsExactly("SEND_ONLY 200 of 5 bytes A");
    }

    @Test
    void inlineBytesAreTakenAtThePost() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(8).fill((byte) 1);
            endpoint.post(wr -> wr.send().inlineData(own));
        }
        assertThat(peer.received()).containsExactly("SEND_ONLY 200 of 8 bytes A");
        assertThat(peer.lastPayload()).containsExactly(1, 1, 1, 1, 1, 1, 1, 1);
        node.memory().asSlice(0, 2).fill((byte) 5);
        node.memory().asSlice(20, 3).fill((byte) 6);
        endpoint.post(wr -> wr.send().inline().sge(node.region(), 0, 2).sge(node.region(), 20, 3));
        node.memory().fill((byte) 9);
        assertThat(peer.received()).containsExactly("SEND_ONLY 201 of 5 bytes A");
        assertThat(peer.lastPayload()).containsExactly(5, 5, 6, 6, 6);
        // Retransmitted bytes are still those of the post.
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 201);
        assertThat(peer.received()).containsExactly("SEND_ONLY 201 of 5 bytes A");
        assertThat(peer.lastPayload()).containsExactly(5, 5, 6, 6, 6);
    }

    @Test
    void anInvalidationWaitsForWhatWasPostedBeforeIt() {
        endpoint.send(1, 0, 5);
        endpoint.post(wr -> wr.localInvalidate(0x123456).id(2));
        assertThat(peer.received()).hasSize(1);
        assertThat(endpoint.sends()).isEmpty();
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        peer.acknowledges(200);
        assertThat(endpoint.sends()).containsExactly("SEND 1", "LOC_QP_OP_ERR 2");
    }
}
