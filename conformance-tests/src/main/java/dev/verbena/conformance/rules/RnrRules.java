// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.WorkCompletionStatus;
import java.time.Duration;
import java.util.Arrays;

/** The rules of rule area RNR: messages that arrive before a receive request has been posted. */
public interface RnrRules extends RuleSet {
    @Rule(
            id = "RNR-01",
            text = "Messages that arrive before their receives are posted are delivered completely and in"
                    + " order after the receives are posted.",
            source = "ibv_modify_qp(3) (rnr_retry); IBTA volume 1, section 9.7.5.2.8",
            lookAt = {
                "which request the requester repeats after an RNR NAK",
                "when the RNR timer starts and stops",
                "whether the responder drops the packets after the refused packet"
            })
    default void aMessageWaitsForALaterReceive(@IntRange(min = 1, max = 8) int messages) {
        int size = 300;
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End responder = ends.responder();
            byte[] expected = responder.memory().contents();
            for (int i = 0; i < messages; i++) {
                byte[] message = ends.requester().memory().fill((long) i * size, size, i);
                expected = Memory.patched(expected, (long) i * size, message);
                ends.requester().send(i, (long) i * size, size);
            }
            ends.requester().qp().assertQuiet();
            for (int i = 0; i < messages; i++) {
                responder.receive(100 + i, (long) i * size, size);
                responder.receives().awaitIds(100L + i);
                ends.requester().sends().awaitIds((long) i);
            }
            responder.memory().assertHolds(expected);
            ends.assertQuiet();
        }
    }

    @Rule(
            id = "RNR-02",
            text = "If no receive is posted within the allowed retries, the send completes with"
                    + " RNR_RETRY_EXC_ERR, the queue pair is in ERR, and the later requests are flushed.",
            source = "ibv_modify_qp(3) (rnr_retry); ibv_poll_cq(3); IBTA volume 1, section 9.7.5.2.8",
            lookAt = {
                "the RNR retry counts 0 (no retry) and 7 (no limit)",
                "the separate retry count for lost packets",
                "the transition to ERR after the last RNR retry"
            })
    default void withoutAReceiveTheRnrRetriesAreExhausted(
            @IntRange(max = 3) int retries, @IntRange(max = 3) int behind) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(budget(retries));
            for (int i = 0; i <= behind; i++) {
                ends.requester()
                        .send(Send.send(i).from(ends.requester().sge(0, 8)).signaled(i == 0));
            }
            WorkCompletionStatus[] expected = new WorkCompletionStatus[behind + 1];
            Arrays.fill(expected, WorkCompletionStatus.WR_FLUSH_ERR);
            expected[0] = WorkCompletionStatus.RNR_RETRY_EXC_ERR;
            assertStatuses(ends.requester().sends(), expected);
            ends.requester().qp().assertState(QpState.ERR);
            ends.assertQuiet();
        }
    }

    private static Connection budget(int retries) {
        return Connection.usual().withRnr(RnrRetryCount.of(retries), RnrTimer.ofCode(12));
    }

    @Rule(
            id = "RNR-03",
            text = "An RNR retry count of 7 means that the number of retries has no limit.",
            source = "ibv_modify_qp(3) (rnr_retry); IBTA volume 1, section 9.7.5.2.8",
            rig = {Needs.VIRTUAL_TIME},
            lookAt = {"whether the RNR retry count 7, and no other count, means no limit"})
    default void sevenRnrRetriesMeansNoLimit() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            ends.requester().send(1, 0, 8);
            pair.first().pass(Duration.ofSeconds(30));
            ends.requester().qp().assertQuiet();
            ends.responder().receive(2, 0, 8);
            ends.requester().sends().awaitIds(1L);
            ends.responder().receives().awaitIds(2L);
        }
    }

    @Rule(
            id = "RNR-04",
            text = "An RDMA READ needs no receive, and neither does an RDMA WRITE without immediate data.",
            source = "ibv_post_send(3); IBTA volume 1, section 9.7.5.2.8",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"the operations that consume a receive"})
    default void writesAndReadsNeedNoReceive() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(budget(0));
            End requester = ends.requester();
            requester.send(Send.write(1, ends.responder().at(0)).from(requester.sge(0, 8)));
            requester.send(Send.read(2, ends.responder().at(0)).from(requester.sge(8, 8)));
            requester.sends().awaitIds(1L, 2L);
        }
    }

    @Rule(
            id = "RNR-05",
            text = "Like a SEND, an RDMA WRITE with immediate data waits until a receive is posted. With an RNR retry"
                    + " count of 0, the RDMA WRITE fails if no receive is posted.",
            source = "ibv_post_send(3); IBTA volume 1, section 9.7.5.2.8",
            needs = {Capability.RC, Capability.IMMEDIATE_DATA},
            lookAt = {"whether the responder sends an RNR NAK if an RDMA WRITE with immediate data finds no receive"})
    default void aWriteWithImmediateWaitsForAReceive(@IntRange(max = 3000) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            Send write = Send.writeWithImmediate(1, ends.responder().at(0), 77).from(requester.sge(0, length));
            requester.send(write);
            requester.qp().assertQuiet();
            ends.responder().receive(2, 0, 0);
            ends.responder().receives().awaitIds(2L);
            requester.sends().awaitIds(1L);
            ends.assertQuiet();
            Pair.Ends impatient = pair.another(ends, Shape.usual(), budget(0));
            impatient.requester().send(write);
            assertStatuses(impatient.requester().sends(), WorkCompletionStatus.RNR_RETRY_EXC_ERR);
        }
    }

    @Rule(
            id = "RNR-06",
            text = "With an RNR retry count of n, a message is sent n + 1 times. Between two attempts the sender"
                    + " waits for the time of the receiver's RNR timer, with a tolerance of 10 %.",
            source = "IBTA volume 1, section 9.7.5.2.8 and table 45",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.TAP, Needs.VIRTUAL_TIME},
            lookAt = {
                "whether each RNR timer code means the right time (code 0 means the longest time)",
                "whether the requester waits for the time that the RNR NAK's timer code specifies"
            })
    default void theSenderWaitsForTheRnrTimer(
            @IntRange(min = 8, max = 32) int number, @IntRange(min = 1, max = 6) int retries) {
        try (Pair pair = pair()) {
            // The rule omits the RNR timer codes 1 to 7, because the RNR NAK delays that they encode are too short to
            // be measured. The parameter value 32 selects RNR timer code 0, which encodes the longest delay.
            RnrTimer timer = RnrTimer.ofCode(number % 32);
            Pair.Ends ends = pair.connected(Connection.usual().withRnr(RnrRetryCount.of(retries), timer));
            Wire wire = Wire.tap(pair);
            ends.requester().send(1, 0, 8);
            // The rule accepts waits from 90 % to 110 % of the encoded RNR NAK delay. The delays of consecutive RNR
            // timer codes differ by more than 30 %.
            Duration tenth = Duration.ofNanos(timer.nanos() / 10);
            Duration before = Duration.ofNanos(timer.nanos()).minus(tenth);
            for (int tries = 1; tries <= retries; tries++) {
                pair.first().pass(before);
                assertEquals(tries, wire.requests(ends).size(), "tries before the RNR timer ran out");
                wire.awaitNext(pair, ends, tenth.multipliedBy(2));
                assertEquals(tries + 1, wire.requests(ends).size(), "tries after the RNR timer ran out");
            }
            assertStatuses(ends.requester().sends(), WorkCompletionStatus.RNR_RETRY_EXC_ERR);
            assertEquals(retries + 1, wire.requests(ends).size(), "tries altogether");
        }
    }

    @Rule(
            id = "RNR-07",
            text = "After a message succeeds, the next message may be retried as often as the RNR retry count permits.",
            source = "IBTA volume 1, section 9.7.5.2.8",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether each successful message restores the RNR retry count"})
    default void aDeliveredMessageResetsTheRnrRetryCount(@IntRange(min = 2, max = 6) int messages) {
        try (Pair pair = pair()) {
            Connection patient = Connection.usual().withRnr(RnrRetryCount.of(2), RnrTimer.ofCode(24));
            Pair.Ends ends = pair.connected(patient);
            for (int i = 0; i < messages; i++) {
                ends.requester().send(i, 0, 8);
                // The peer sends exactly one RNR NAK within 2 ms.
                pair.first().pass(Duration.ofMillis(2));
                ends.responder().receive(i, 0, 8);
                ends.responder().receives().awaitIds((long) i);
                ends.requester().sends().awaitIds((long) i);
            }
        }
    }

    @Rule(
            id = "RNR-08",
            text = "RNR NAKs do not consume the retries for lost packets.",
            source = "ibv_modify_qp(3) (retry_cnt and rnr_retry)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            lookAt = {"whether the requester counts RNR retries separately from retries for lost packets"})
    default void rnrNaksDoNotConsumeTheOtherRetries() {
        try (Pair pair = pair()) {
            Connection connection = Connection.usual().withRetries(AckTimeout.ofCode(18), 0);
            Pair.Ends ends = pair.connected(connection);
            ends.requester().send(1, 0, 8);
            ends.requester().qp().assertQuiet();
            pair.first().pass(Duration.ofMillis(5));
            ends.responder().receive(2, 0, 8);
            ends.requester().sends().awaitIds(1L);
        }
    }
}
