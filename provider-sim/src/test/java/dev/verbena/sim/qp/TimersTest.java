// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The times of retransmissions, their number, and their end: exact to the nanosecond, because time is virtual. */
class TimersTest extends OneDevice {
    private static final AckTimeout TIMEOUT = AckTimeout.ofCode(14);
    private static final long T = TIMEOUT.nanos();
    private static final String SEND = "SEND_ONLY 200 of 5 bytes A";
    /** IPv4, UDP, BTH, 5 bytes, 3 of padding, ICRC. */
    private static final long FLIGHT = flight(20 + 8 + 12 + 8 + 4);

    private static final long ACK_FLIGHT = flight(20 + 8 + 12 + 4 + 4);

    private Endpoint endpoint;

    private static long flight(int length) {
        LinkProperties link = LinkProperties.DEFAULT;
        return link.latency().toNanos() + link.serializationNanos(length);
    }

    @BeforeEach
    void prepare() throws VerbsException {
        endpoint = node.endpoint();
    }

    private void connect(Connection connection) throws VerbsException {
        endpoint.connect(peer, connection);
    }

    private void runUntil(long nanoTime) {
        lab.run(Duration.ofNanos(nanoTime - lab.runtime().nanoTime()));
    }

    @Test
    void sendsAgainAfterEachTimeoutAndGivesUpAfterTheLast() throws VerbsException {
        connect(Connection.USUAL.timeout(TIMEOUT, 7));
        endpoint.receive(7, 0, 5);
        endpoint.send(1, 0, 5);
        endpoint.post(wr -> wr.rdmaWrite(0, 0).id(2));
        endpoint.send(3, 0, 5);
        runUntil(8 * T - 1);
        assertThat(peer.times()).hasSize(3 * 8);
        for (int time = 0; time < 8; time++) {
            assertThat(peer.times().get(3 * time)).isEqualTo(time * T + FLIGHT);
        }
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        assertThat(endpoint.sends()).isEmpty();
        runUntil(8 * T);
        assertThat(endpoint.sends()).containsExactly("RETRY_EXC_ERR 1", "WR_FLUSH_ERR 2", "WR_FLUSH_ERR 3");
        assertThat(endpoint.receives()).containsExactly("WR_FLUSH_ERR 7");
        assertThat(endpoint.state()).isEqualTo(QpState.ERR);
        runUntil(20 * T);
        assertThat(peer.times()).hasSize(3 * 8);
        assertThat(node.count(Counter.RETRY_EXCEEDED_ERR)).isEqualTo(1);
        assertThat(node.count(Counter.RETRANSMITTED_PKTS)).isEqualTo(3 * 7);
    }

    @Test
    void withoutRetriesGivesUpAtTheFirstTimeout() throws VerbsException {
        connect(Connection.USUAL.timeout(TIMEOUT, 0));
        endpoint.send(1, 0, 5);
        runUntil(T - 1);
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        runUntil(T);
        assertThat(endpoint.sends()).containsExactly("RETRY_EXC_ERR 1");
        assertThat(peer.received()).containsExactly(SEND);
    }

    @Test
    void withoutATimeoutNeverSendsAgain() throws VerbsException {
        connect(Connection.USUAL.timeout(AckTimeout.NONE, 1));
        endpoint.send(1, 0, 5);
        lab.run(Duration.ofDays(1));
        assertThat(peer.received()).containsExactly(SEND);
        peer.acknowledges(200);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
    }

    @Test
    void anAcknowledgementStartsTheTimeAndTheBudgetAgain() throws VerbsException {
        connect(Connection.USUAL.timeout(TIMEOUT, 1));
        endpoint.send(1, 0, 5);
        endpoint.send(2, 0, 5);
        runUntil(T + T / 2);
        assertThat(peer.received()).hasSize(4);
        long sent = lab.runtime().nanoTime();
        peer.acknowledges(200);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
        runUntil(sent + ACK_FLIGHT + T + FLIGHT - 1);
        assertThat(peer.times()).isEmpty();
        runUntil(sent + ACK_FLIGHT + T + FLIGHT);
        assertThat(peer.times()).hasSize(1);
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        runUntil(sent + ACK_FLIGHT + 2 * T);
        assertThat(endpoint.sends()).containsExactly("RETRY_EXC_ERR 2");
    }

    /** Without an outstanding request; otherwise the former counts would remain valid for the oldest packet. */
    @Test
    void countsThatAreChangedInSqdHoldForTheNextPacketAlready() throws VerbsException {
        connect(Connection.USUAL.timeout(TIMEOUT, 7).rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(1)));
        endpoint.send(1, 0, 5);
        peer.acknowledges(200);
        endpoint.qp().modify(QpAttributes.builder().state(QpState.SQD).build());
        lab.settle();
        endpoint.qp()
                .modify(QpAttributes.builder()
                        .retryCount(2)
                        .rnrRetryCount(RnrRetryCount.of(0))
                        .build());
        endpoint.qp().modify(QpAttributes.builder().state(QpState.RTS).build());
        peer.received();
        long sent = lab.runtime().nanoTime();
        endpoint.send(2, 0, 5);
        runUntil(sent + 3 * T);
        assertThat(peer.received()).hasSize(3);
        assertThat(endpoint.sends()).containsExactly("SEND 1", "RETRY_EXC_ERR 2");
    }

    @Test
    void aPacketRetransmittedForANakGetsAFullTimeout() throws VerbsException {
        connect(Connection.USUAL.timeout(TIMEOUT, 7));
        endpoint.send(1, 0, 5);
        runUntil(T - 500_000);
        peer.received();
        long sent = lab.runtime().nanoTime();
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
        assertThat(peer.received()).containsExactly(SEND);
        runUntil(sent + ACK_FLIGHT + T + FLIGHT - 1);
        assertThat(peer.times()).isEmpty();
        runUntil(sent + ACK_FLIGHT + T + FLIGHT);
        assertThat(peer.times()).hasSize(1);
    }

    @Test
    void eachNakWithoutProgressDoesNotCostARetryButTheFirst() throws VerbsException {
        connect(Connection.USUAL.timeout(TIMEOUT, 1));
        endpoint.send(1, 0, 5);
        for (int i = 0; i < 5; i++) {
            peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
        }
        assertThat(peer.received()).containsExactly(SEND, SEND);
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void waitsAsLongAsThePeerAsksAndSendsNothingMeanwhile() throws VerbsException {
        RnrTimer timer = RnrTimer.ofCode(18);
        connect(Connection.USUAL);
        endpoint.send(1, 0, 5);
        endpoint.send(2, 0, 5);
        assertThat(peer.received()).hasSize(2);
        long sent = lab.runtime().nanoTime();
        peer.answers(Aeth.RNR | timer.code(), 200);
        endpoint.send(3, 0, 5);
        // For the second packet, which was in flight.
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
        runUntil(sent + ACK_FLIGHT + timer.nanos() + FLIGHT - 1);
        assertThat(peer.times()).isEmpty();
        runUntil(sent + ACK_FLIGHT + timer.nanos() + FLIGHT);
        assertThat(peer.times()).hasSize(1);
        assertThat(peer.received()).containsExactly(SEND, "SEND_ONLY 201 of 5 bytes A", "SEND_ONLY 202 of 5 bytes A");
        peer.acknowledges(202);
        assertThat(endpoint.sends()).containsExactly("SEND 1", "SEND 2", "SEND 3");
        assertThat(node.count(Counter.RCVD_RNR_ERR)).isEqualTo(1);
    }

    @Test
    void aPacketAcknowledgedDuringTheWaitIsNotRetransmitted() throws VerbsException {
        RnrTimer timer = RnrTimer.ofCode(18);
        connect(Connection.USUAL);
        for (int id = 1; id <= 3; id++) {
            endpoint.send(id, 0, 5);
        }
        peer.received();
        peer.answers(Aeth.RNR | timer.code(), 200);
        peer.acknowledges(201);
        assertThat(endpoint.sends()).containsExactly("SEND 1", "SEND 2");
        lab.run(Duration.ofNanos(2 * timer.nanos()));
        assertThat(peer.received()).containsExactly("SEND_ONLY 202 of 5 bytes A");
    }

    @Test
    void anRnrNakAcknowledgesWhatIsBeforeIt() throws VerbsException {
        connect(Connection.USUAL);
        endpoint.send(1, 0, 5);
        endpoint.send(2, 0, 5);
        peer.received();
        peer.answers(Aeth.RNR | 1, 201);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
        assertThat(peer.received()).containsExactly("SEND_ONLY 201 of 5 bytes A");
    }

    @Test
    void givesUpAfterTheLastRnrRetry() throws VerbsException {
        connect(Connection.USUAL.rnr(RnrRetryCount.of(2), RnrTimer.ofCode(1)));
        endpoint.send(1, 0, 5);
        endpoint.send(2, 0, 5);
        for (int i = 0; i < 2; i++) {
            peer.answers(Aeth.RNR | 1, 200);
            assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        }
        assertThat(peer.received()).hasSize(3 * 2);
        peer.answers(Aeth.RNR | 1, 200);
        assertThat(endpoint.sends()).containsExactly("RNR_RETRY_EXC_ERR 1", "WR_FLUSH_ERR 2");
        assertThat(node.count(Counter.RETRY_RNR_EXCEEDED_ERR)).isEqualTo(1);
    }

    @Test
    void sevenRnrRetriesAreUnlimited() throws VerbsException {
        connect(Connection.USUAL.rnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(1)));
        endpoint.send(1, 0, 5);
        for (int i = 0; i < 100; i++) {
            peer.answers(Aeth.RNR | 1, 200);
        }
        assertThat(peer.received()).hasSize(101);
        peer.acknowledges(200);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
    }

    @Test
    void aDeliveredMessageResetsTheRnrRetryCount() throws VerbsException {
        connect(Connection.USUAL.rnr(RnrRetryCount.of(1), RnrTimer.ofCode(1)));
        for (int id = 0; id < 3; id++) {
            endpoint.send(id, 0, 5);
            peer.answers(Aeth.RNR | 1, 200 + id);
            peer.acknowledges(200 + id);
        }
        assertThat(endpoint.sends()).containsExactly("SEND 0", "SEND 1", "SEND 2");
    }

    @Test
    void timeThatThePeerAskedForCostsNoRetries() throws VerbsException {
        connect(Connection.USUAL.timeout(AckTimeout.ofCode(5), 1));
        RnrTimer timer = RnrTimer.ofCode(20);
        endpoint.send(1, 0, 5);
        endpoint.send(2, 0, 5);
        peer.answers(Aeth.RNR | timer.code(), 200);
        // A late copy of the first packet found a receive.
        peer.acknowledges(200);
        assertThat(endpoint.sends()).containsExactly("SEND 1");
        peer.received();
        lab.run(timer.duration().minusMillis(2));
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        assertThat(peer.received()).isEmpty();
        assertThat(node.count(Counter.COMPLETER_RETRY_ERR)).isZero();
    }

    /** Packets after the message that must wait arrive out of order, which is not a sign of a loss. */
    @Test
    void aGapThatIsReportedWhileThePeerMustBeWaitedForCostsNoRetry() throws VerbsException {
        connect(Connection.USUAL.timeout(TIMEOUT, 0));
        RnrTimer timer = RnrTimer.ofCode(20);
        endpoint.send(1, 0, 5);
        endpoint.send(2, 0, 5);
        peer.answers(Aeth.RNR | timer.code(), 200);
        peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
        lab.run(timer.duration().minusMillis(2));
        assertThat(endpoint.state()).isEqualTo(QpState.RTS);
        assertThat(node.count(Counter.RCVD_SEQ_ERR)).isEqualTo(1);
        assertThat(node.count(Counter.COMPLETER_RETRY_ERR)).isZero();
    }

    @Test
    void modifyToErrorEndsEverythingAtOnce() throws VerbsException {
        connect(Connection.USUAL);
        endpoint.receive(9, 0, 5);
        endpoint.send(1, 0, 5);
        peer.answers(Aeth.RNR | 20, 200);
        endpoint.fail();
        lab.settle();
        assertThat(endpoint.sends()).containsExactly("WR_FLUSH_ERR 1");
        assertThat(endpoint.receives()).containsExactly("WR_FLUSH_ERR 9");
        peer.received();
        lab.run(Duration.ofSeconds(10));
        assertThat(List.of(peer.received(), endpoint.sends())).containsOnly(List.of());
    }
}
