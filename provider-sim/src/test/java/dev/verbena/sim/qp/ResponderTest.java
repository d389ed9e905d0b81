// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static dev.verbena.sim.fixture.ScriptedPeer.payload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests in order, out of order, repeated, or before a receive was posted. Path MTU 256, first PSN 100. */
class ResponderTest extends OneDevice {
    private static final int MTU = 256;

    private Endpoint endpoint;

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
    }

    @Test
    void acknowledgesOnlyWhatAsksForIt() {
        endpoint.receive(1, 0, 64);
        endpoint.receive(2, 64, 64);
        peer.sends(Opcode.RC_SEND_ONLY, 100, 20);
        assertThat(peer.received()).isEmpty();
        peer.asks(Opcode.RC_SEND_ONLY, 101, 0);
        assertThat(peer.received()).containsExactly("ACK 101 msn 2");
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 20 bytes", "RECV 2 of 0 bytes");
        assertThat(node.bytes(0, 20)).isEqualTo(payload(20));
        assertThat(node.bytes(20, 100)).containsOnly(0);
    }

    @Test
    void acknowledgesAMiddlePacketThatAsksForIt() {
        endpoint.receive(1, 0, 1000);
        peer.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        peer.asks(Opcode.RC_SEND_MIDDLE, 101, MTU);
        assertThat(peer.received()).containsExactly("ACK 101 msn 0");
        peer.asks(Opcode.RC_SEND_LAST, 102, 1);
        assertThat(peer.received()).containsExactly("ACK 102 msn 1");
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 513 bytes");
    }

    @Test
    void aMessageMayEndWithAFullPacket() {
        endpoint.receive(1, 0, 1000);
        endpoint.receive(2, 1000, 1000);
        peer.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        peer.asks(Opcode.RC_SEND_LAST, 101, MTU);
        assertThat(peer.received()).containsExactly("ACK 101 msn 1");
        peer.asks(Opcode.RC_SEND_ONLY, 102, MTU);
        assertThat(peer.received()).containsExactly("ACK 102 msn 2");
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 512 bytes", "RECV 2 of 256 bytes");
    }

    @Test
    void deliversImmediateDataOfSendAndOfWrite() {
        endpoint.receive(1, 0, 64);
        endpoint.receive(2, 0, 0);
        peer.sends(
                Opcode.RC_SEND_ONLY_WITH_IMMEDIATE,
                100,
                4,
                packet -> packet.immDt().data(0xCAFEBABE));
        peer.sends(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, 101, 9, packet -> {
            packet.reth()
                    .virtualAddress(node.region().address() + 500)
                    .remoteKey(node.region().rkey())
                    .dmaLength(9);
            packet.immDt().data(7);
        });
        assertThat(endpoint.receives())
                .containsExactly(
                        "RECV 1 of 4 bytes, immediate 0xcafebabe", "RECV_RDMA_WITH_IMM 2 of 9 bytes, immediate 0x7");
        assertThat(node.bytes(500, 9)).isEqualTo(payload(9));
    }

    @Test
    void reportsAGapOnceAndAgainAfterItWasClosed() {
        for (int id = 0; id < 6; id++) {
            endpoint.receive(id, 0, 64);
        }
        peer.asks(Opcode.RC_SEND_ONLY, 102, 1);
        assertThat(peer.received()).containsExactly("NAK(0) 100 msn 0");
        peer.asks(Opcode.RC_SEND_ONLY, 103, 1);
        peer.asks(Opcode.RC_SEND_ONLY, 101, 1);
        assertThat(peer.received()).isEmpty();
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        peer.asks(Opcode.RC_SEND_ONLY, 103, 1);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1", "NAK(0) 101 msn 1");
        assertThat(endpoint.receives()).containsExactly("RECV 0 of 1 bytes");
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        assertThat(node.count(Counter.OUT_OF_SEQ_REQUEST)).isEqualTo(4);
    }

    @Test
    void acknowledgesADuplicateOnRequestWithoutExecutingIt() {
        endpoint.receive(1, 0, 64);
        endpoint.receive(2, 64, 64);
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        peer.writes(
                Opcode.RC_RDMA_WRITE_ONLY,
                101,
                3,
                node.region().address() + 200,
                node.region().rkey(),
                3);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1", "ACK 101 msn 2");
        node.fill(200, 3, 1);
        byte[] after = node.bytes(200, 3);

        peer.sends(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(peer.received()).isEmpty();
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(peer.received()).containsExactly("ACK 101 msn 2");
        peer.writes(
                Opcode.RC_RDMA_WRITE_ONLY,
                101,
                3,
                node.region().address() + 200,
                node.region().rkey(),
                3);
        assertThat(peer.received()).containsExactly("ACK 101 msn 2");
        assertThat(node.bytes(200, 3)).isEqualTo(after);
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 1 bytes");
        assertThat(node.count(Counter.DUPLICATE_REQUEST)).isEqualTo(3);
    }

    @Test
    void aDuplicateBeforeTheFirstRequestIsAcknowledgedWithThePsnBeforeTheFirst() {
        peer.asks(Opcode.RC_SEND_ONLY, 90, 1);
        assertThat(peer.received()).containsExactly("ACK 99 msn 0");
    }

    @Test
    void aPsnHalfTheCircleAwayIsADuplicate() {
        peer.asks(Opcode.RC_SEND_ONLY, 100 + (1 << 23), 1);
        assertThat(node.count(Counter.DUPLICATE_REQUEST)).isEqualTo(1);
        peer.asks(Opcode.RC_SEND_ONLY, 99 + (1 << 23), 1);
        assertThat(node.count(Counter.OUT_OF_SEQ_REQUEST)).isEqualTo(1);
        assertThat(peer.received()).containsExactly("ACK 99 msn 0", "NAK(0) 100 msn 0");
    }

    @Test
    void aDuplicateOfAReadThatWasNeverServedIsNotAcknowledged() {
        peer.asks(Opcode.RC_RDMA_READ_REQUEST, 99, 0);
        peer.asks(Opcode.RC_FETCH_ADD, 98, 0);
        assertThat(peer.received()).isEmpty();
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void countsPsnsAndMessagesAcrossTheWrap() throws VerbsException {
        Endpoint other = node.endpoint();
        other.connect(peer, Connection.USUAL.psns(0, 0xFFFFFE));
        other.receive(1, 0, 1000);
        peer.sends(Opcode.RC_SEND_FIRST, 0xFFFFFE, MTU);
        peer.sends(Opcode.RC_SEND_MIDDLE, 0xFFFFFF, MTU);
        peer.asks(Opcode.RC_SEND_LAST, 0, 10);
        assertThat(peer.received()).containsExactly("ACK 0 msn 1");
        peer.asks(Opcode.RC_SEND_MIDDLE, 0xFFFFFF, MTU);
        assertThat(peer.received()).containsExactly("ACK 0 msn 1");
        assertThat(other.receives()).containsExactly("RECV 1 of 522 bytes");
    }

    @Test
    void sendsAnRnrNakWithoutAReceiveAndContinuesFromThatPacket() {
        peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
        assertThat(peer.received()).containsExactly("RNR(12) 100 msn 0");
        // Later packets cannot be in order, and the peer knows it.
        peer.asks(Opcode.RC_SEND_ONLY, 101, 5);
        assertThat(peer.received()).isEmpty();
        peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
        assertThat(peer.received()).containsExactly("RNR(12) 100 msn 0");
        endpoint.receive(1, 0, 64);
        peer.asks(Opcode.RC_SEND_ONLY, 100, 5);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 5 bytes");
        assertThat(node.count(Counter.SEND_RNR_ERR)).isEqualTo(2);
    }

    @Test
    void sendsAnRnrNakAtTheLastPacketOfAWriteWithImmediate() {
        long address = node.region().address();
        peer.writes(Opcode.RC_RDMA_WRITE_FIRST, 100, MTU, address, node.region().rkey(), MTU + 4);
        peer.sends(
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                101,
                4,
                packet -> packet.immDt().data(3));
        assertThat(peer.received()).containsExactly("ACK 100 msn 0", "RNR(12) 101 msn 0");
        assertThat(node.bytes(MTU, 4)).containsOnly(0);
        endpoint.receive(1, 0, 0);
        peer.sends(
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                101,
                4,
                packet -> packet.immDt().data(3));
        assertThat(endpoint.receives()).containsExactly("RECV_RDMA_WITH_IMM 1 of 260 bytes, immediate 0x3");
        assertThat(node.bytes(0, MTU + 4)).isEqualTo(payload(MTU + 4));
    }

    @Test
    void aWriteNeedsNoReceive() {
        peer.writes(
                Opcode.RC_RDMA_WRITE_ONLY,
                100,
                3,
                node.region().address(),
                node.region().rkey(),
                3);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
        assertThat(endpoint.receives()).isEmpty();
    }

    @Test
    void aWriteOfNoBytesDoesNotLookAtItsKey() {
        peer.writes(Opcode.RC_RDMA_WRITE_ONLY, 100, 0, 0xDEAD, 0xBEEF, 0);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
    }

    @Test
    void spreadsAMessageOverTheEntriesOfAReceive() {
        endpoint.receive(wr -> wr.id(1)
                .sge(node.region(), 1000, 3)
                .sge(node.region(), 5000, 0)
                .sge(node.region(), 2000, 300)
                .sge(node.region(), 3000, 300));
        peer.sends(Opcode.RC_SEND_FIRST, 100, MTU);
        peer.sends(Opcode.RC_SEND_LAST, 101, 50);
        assertThat(endpoint.receives()).containsExactly("RECV 1 of 306 bytes");
        assertThat(node.bytes(1000, 4)).containsExactly(7, 7, 7, 0);
        assertThat(node.bytes(2000, 300)).isEqualTo(payload(300));
        assertThat(node.bytes(3000, 4)).containsExactly(7, 7, 7, 0);
    }

    @Test
    void answersInRtrAndBeginsToSendAtRts() throws VerbsException {
        Endpoint other = node.endpoint();
        other.connect(peer, Connection.USUAL);
        other.qp().modify(QpAttributes.reset());
        other.qp().modify(Connection.USUAL.toInit());
        other.receive(1, 0, 64);
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(peer.received()).isEmpty();
        other.qp().modify(Connection.USUAL.toRtr(peer.address(), ScriptedPeer.QPN));
        peer.asks(Opcode.RC_SEND_ONLY, 100, 1);
        assertThat(peer.received()).containsExactly("ACK 100 msn 1");
        assertThat(other.receives()).containsExactly("RECV 1 of 1 bytes");
    }
}
