// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The effects of the peer's answers on outstanding requests. Path MTU 256, first PSN 200. */
class CompleterTest extends OneDevice {
    private static final int MTU = 256;
    private static final String FLUSHED = "WR_FLUSH_ERR ";

    private Endpoint endpoint;

    @BeforeEach
    void connect() throws VerbsException {
        endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
    }

    /** Sends 1 to 3 with PSNs 200, 201..202 and 203. */
    private void postThree() {
        endpoint.send(1, 0, 5);
        endpoint.send(2, 0, MTU + 1);
        endpoint.post(wr -> wr.rdmaWrite(0, 0).id(3).signaled());
        assertThat(peer.received()).hasSize(4);
    }

    @Test
    void oneAcknowledgementCompletesEverythingBeforeIt() {
        postThree();
        peer.acknowledges(201);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
        peer.acknowledges(203);
        assertThat(endpoint.sends()).containsExactly("SEND 2", "RDMA_WRITE 3");
        peer.acknowledges(203);
        assertThat(endpoint.sends()).isEmpty();
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void completesAnyCreditCode() {
        endpoint.send(1, 0, 5);
        peer.answers(0x05, 200);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
    }

    @Test
    void completesUnsignaledRequestsSilently() {
        endpoint.post(wr -> wr.send().id(1));
        endpoint.post(wr -> wr.send().id(2).signaled());
        endpoint.post(wr -> wr.send().id(3));
        peer.acknowledges(202);
        assertThat(endpoint.sends()).containsExactly("SEND 2");
        endpoint.post(wr -> wr.send().id(4));
        peer.answers(Aeth.NAK_REMOTE_ACCESS, 203);
        assertThat(endpoint.sends()).containsExactly("REM_ACCESS_ERR 4");
    }

    @Test
    void ignoresAGhostAcknowledgementOfWhatWasNeverSent() {
        endpoint.send(1, 0, 5);
        peer.acknowledges(201);
        peer.acknowledges(199);
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 201);
        peer.answers(Aeth.NAK_REMOTE_OPERATIONAL, 250);
        peer.answers(Aeth.RNR | 1, 199);
        assertThat(endpoint.sends()).isEmpty();
        assertThat(peer.received()).containsExactly("SEND_ONLY 200 of 5 bytes A");
        assertThat(node.count(Counter.DROPPED_RESPONSE)).isEqualTo(5);
        peer.acknowledges(200);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
    }

    @Test
    void ignoresResponsesWhenNothingIsUnderWay() {
        peer.acknowledges(199);
        peer.acknowledges(200);
        peer.answers(Aeth.NAK_REMOTE_ACCESS, 200);
        assertThat(node.count(Counter.DROPPED_RESPONSE)).isEqualTo(3);
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
    }

    /** The effects of a NAK of PSN 202, the second packet of request 2. */
    static Stream<Arguments> refusals() {
        return Stream.of(
                argumentSet("invalid request", Opcode.RC_ACKNOWLEDGE, 0x61, "REM_INV_REQ_ERR"),
                argumentSet("access", Opcode.RC_ACKNOWLEDGE, 0x62, "REM_ACCESS_ERR"),
                argumentSet("operational", Opcode.RC_ACKNOWLEDGE, 0x63, "REM_OP_ERR"),
                argumentSet("invalid RD request", Opcode.RC_ACKNOWLEDGE, 0x64, "REM_OP_ERR"),
                argumentSet("reserved code", Opcode.RC_ACKNOWLEDGE, 0x6F, "REM_OP_ERR"),
                argumentSet("reserved kind 2", Opcode.RC_ACKNOWLEDGE, 0x40, "BAD_RESP_ERR"),
                argumentSet("reserved kind 4", Opcode.RC_ACKNOWLEDGE, 0x80, "BAD_RESP_ERR"),
                argumentSet("reserved kind 5", Opcode.RC_ACKNOWLEDGE, 0xA0, "BAD_RESP_ERR"),
                argumentSet("READ response only", Opcode.RC_RDMA_READ_RESPONSE_ONLY, 0x1F, "BAD_RESP_ERR"),
                argumentSet("READ response first", Opcode.RC_RDMA_READ_RESPONSE_FIRST, 0x1F, "BAD_RESP_ERR"),
                argumentSet("atomic acknowledge", Opcode.RC_ATOMIC_ACKNOWLEDGE, 0x1F, "BAD_RESP_ERR"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalCompletesWhatIsBeforeItFailsItsRequestAndFlushesTheRest(Opcode opcode, int syndrome, String status) {
        postThree();
        endpoint.receive(9, 0, 5);
        peer.sends(opcode, 202, 0, packet -> packet.aeth().initialize(syndrome, 0));
        assertThat(endpoint.sends()).containsExactly("SEND 1", status + " 2", FLUSHED + 3);
        assertThat(endpoint.receives()).containsExactly(FLUSHED + 9);
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
        lab.run(Connection.USUAL.timeout().duration().multipliedBy(2));
        assertThat(peer.received()).isEmpty();
    }

    @Test
    void aReadResponseWithoutAethIsABadResponseToo() {
        endpoint.send(1, 0, 5);
        peer.sends(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 200, MTU);
        assertThat(endpoint.sends()).containsExactly("BAD_RESP_ERR 1");
    }

    @Test
    void aSequenceNakAcknowledgesWhatIsBeforeItAndSendsFromThere() {
        endpoint.send(1, 0, 5);
        node.fill(0, 4 * MTU, 1);
        endpoint.post(wr -> wr.rdmaWrite(0x1000, 7).id(2).signaled().sge(node.region(), 0, 3 * MTU));
        endpoint.send(3, 0, 6);
        assertThat(peer.received()).hasSize(5);
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 202);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_WRITE_MIDDLE 202 of 256 bytes",
                        "RDMA_WRITE_LAST 203 of 256 bytes A",
                        "SEND_ONLY 204 of 6 bytes A");
        assertThat(node.count(Counter.RETRANSMITTED_PKTS)).isEqualTo(3);
        // A repetition has no further effect.
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 202);
        assertThat(peer.received()).isEmpty();
        // A NAK with progress has an effect.
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 204);
        assertThat(endpoint.sends()).containsExactly("RDMA_WRITE 2");
        assertThat(peer.received()).containsExactly("SEND_ONLY 204 of 6 bytes A");
        peer.acknowledges(204);
        assertThat(endpoint.sends()).containsExactly("SEND 3");
    }

    @Test
    void aSequenceNakOfTheFirstPacketNamesTheTargetAgain() {
        endpoint.post(wr -> wr.rdmaWrite(0x1000, 7).sge(node.region(), 0, MTU + 3));
        assertThat(peer.received()).hasSize(2);
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_WRITE_FIRST 200 of 256 bytes to 0x1000 key 0x7 length 259",
                        "RDMA_WRITE_LAST 201 of 3 bytes A");
    }

    @Test
    void aLateAcknowledgementWhileSendingAgainSkipsWhatHasArrived() {
        endpoint.send(1, 0, 50 * MTU);
        assertThat(peer.received()).hasSize(50);
        lab.run(Connection.USUAL.timeout().duration());
        peer.acknowledges(248);
        assertThat(peer.received()).hasSize(50);
        // 249 is still outstanding; it is retransmitted at the next timeout, and alone.
        lab.run(Connection.USUAL.timeout().duration());
        assertThat(peer.received()).containsExactly("SEND_LAST 249 of 256 bytes A");
        peer.acknowledges(249);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
    }

    @Test
    void aLostCompletionEndsTheQueuePair() throws VerbsException {
        Endpoint small = node.endpoint(QpCapabilities.of(7, 7), node.newCq(1), node.newCq());
        small.connect(peer, Connection.USUAL);
        small.receive(9, 0, 5);
        small.send(1, 0, 5);
        small.send(2, 0, 5);
        small.send(3, 0, 5);
        peer.acknowledges(202);
        assertThat(small.sends()).containsExactly("SEND 1");
        assertThat(small.receives()).containsExactly(FLUSHED + 9);
        assertThat(node.events()).containsExactly("CQ_ERR");
        assertThat(small.state()).isEqualTo(QpState.ERR);
    }
}
