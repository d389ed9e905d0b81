// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertStatuses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.From;
import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.arbitraries.LinkFaults;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Pair;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionStatus;
import java.time.Duration;
import java.util.Arrays;

/** The rules of rule area RETRY about packets that are lost, late or duplicated. */
public interface RetryRules extends RuleSet {
    @Rule(
            id = "RETRY-01",
            text = "Even if the link loses acknowledgements or packets of SENDs, each message arrives exactly once.",
            source = "IBTA volume 1, sections 9.7.5.1.1 and 9.7.6.1.3",
            rig = {Needs.FAULTS},
            lookAt = {
                "the first packet that is retransmitted after a timeout or a NAK",
                "whether duplicates are acknowledged without a second execution"
            })
    default void lostPacketsOfSendsAreRetransmitted(
            @From(LinkFaults.Losses.class) LinkFaults lost,
            @IntRange(min = 1, max = 8) int messages,
            @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Transfer.shape(), Transfer.connection());
            pair.fault(lost.plan());
            new Transfer(messages, length).send(ends);
        }
    }

    @Rule(
            id = "RETRY-02",
            text = "Whichever packets of RDMA WRITEs are lost, all bytes arrive.",
            source = "IBTA volume 1, sections 9.7.5.1.1 and 9.7.6.1.3",
            rig = {Needs.FAULTS},
            lookAt = {"the remote address of an RDMA WRITE that is resumed in the middle"})
    default void lostPacketsOfWritesAreRetransmitted(
            @From(LinkFaults.Losses.class) LinkFaults lost, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Transfer.shape(), Transfer.connection());
            pair.fault(lost.plan());
            new Transfer(4, length).write(ends);
        }
    }

    @Rule(
            id = "RETRY-03",
            text = "Whichever packets of RDMA READs or their responses are lost, all bytes arrive.",
            source = "IBTA volume 1, sections 9.7.5.1.9 and 9.7.6.1.3",
            needs = {Capability.RC, Capability.RDMA_READ},
            rig = {Needs.FAULTS},
            lookAt = {
                "whether the requester retransmits a READ if responses are missing",
                "the responder's record of answered READs"
            })
    default void lostPacketsOfReadsAreRetransmitted(
            @From(LinkFaults.Losses.class) LinkFaults lost, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Transfer.shape(), Transfer.connection());
            pair.fault(lost.plan());
            new Transfer(4, length).read(ends);
        }
    }

    @Rule(
            id = "RETRY-04",
            text = "If no response arrives, a request is retransmitted retry_cnt times and then completes with"
                    + " RETRY_EXC_ERR. The queue pair of this request is in ERR, and the later requests are flushed. A"
                    + " retry_cnt of 7 has no special meaning.",
            source = "ibv_modify_qp(3) (retry_cnt); IBTA volume 1, section 9.7.6.1.3",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS, Needs.TAP},
            lookAt = {"the timer that starts a retransmission", "whether a retry count of 7 wrongly means no limit"})
    default void withoutResponseTheRetriesAreExhausted(@IntRange(max = 7) int retries, @IntRange(max = 3) int behind) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withRetries(AckTimeout.ofCode(8), retries));
            Wire wire = Wire.tap(pair);
            pair.fault(Faults.silence(ends.responder().qp()));
            for (int i = 0; i <= behind; i++) {
                ends.responder().receive(i, 0, 8);
                ends.requester().send(i, 0, 8);
            }
            WorkCompletionStatus[] expected = new WorkCompletionStatus[behind + 1];
            Arrays.fill(expected, WorkCompletionStatus.WR_FLUSH_ERR);
            expected[0] = WorkCompletionStatus.RETRY_EXC_ERR;
            assertStatuses(ends.requester().sends(), expected);
            ends.requester().qp().assertState(QpState.ERR);
            int first = Connection.usual().firstPsn().value();
            long sent = wire.requests(ends).stream()
                    .filter(seen -> seen.psn() == first)
                    .count();
            assertEquals(retries + 1, sent, "transmissions of the first request");
        }
    }

    @Rule(
            id = "RETRY-05",
            text = "Packets that the link duplicates have no effect: each message arrives exactly once.",
            source = "IBTA volume 1, section 9.7.5.1.2",
            rig = {Needs.FAULTS},
            lookAt = {"the comparison of PSNs", "the requester's handling of duplicate acknowledgements"})
    default void duplicatePacketsHaveNoEffect(
            @From(LinkFaults.Doubles.class) LinkFaults doubled, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Transfer.shape(), Transfer.connection());
            pair.fault(doubled.plan());
            new Transfer(5, length).send(ends);
        }
    }

    @Rule(
            id = "RETRY-06",
            text = "If packets arrive out of order, each message still arrives exactly once and in order.",
            source = "IBTA volume 1, section 9.7.5.1.3",
            rig = {Needs.FAULTS},
            lookAt = {"the handling of packets after the expected PSN", "the handling of late packets as duplicates"})
    default void reorderedPacketsHaveNoEffect(
            @From(LinkFaults.Delays.class) LinkFaults late, @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Transfer.shape(), Transfer.connection());
            pair.fault(late.plan());
            new Transfer(5, length).send(ends);
        }
    }

    @Rule(
            id = "RETRY-07",
            text = "When PSNs wrap from 2^24 - 1 to 0, messages and their retransmissions arrive unaltered.",
            source = "IBTA volume 1, section 9.7.1",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS},
            lookAt = {"whether each comparison of PSNs handles the wrap"})
    default void packetNumbersWrap(@IntRange(max = 24) int before, @From(LinkFaults.Losses.class) LinkFaults lost) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(
                    Transfer.shape(), Transfer.connection().withPsns(0x100_0000 - 1 - before, 0xFF_FFFF - before));
            pair.fault(lost.plan());
            new Transfer(4, 1000).send(ends);
            new Transfer(2, 1000).read(ends);
        }
    }

    @Rule(
            id = "RETRY-08",
            text = "On a link that loses one packet in ten, messages arrive exactly once and in order.",
            source = "IBTA volume 1, sections 9.7.5 and 9.7.6",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS},
            lookAt = {"the handling of NAKs, timeouts and duplicates that occur together"})
    default void messagesArriveInOrderOnALossyLink(@IntRange(min = 1, max = 8) int messages) {
        try (Pair pair = pair()) {
            Pair.Ends ends =
                    pair.connected(Transfer.shape(), Transfer.connection().withRetries(AckTimeout.ofCode(12), 7));
            pair.fault(Faults.oneIn(10, Verdict.DROP));
            Transfer transfer = new Transfer(messages, 700);
            transfer.send(ends);
            transfer.write(ends);
            transfer.read(ends);
        }
    }

    @Rule(
            id = "RETRY-09",
            text = "After each acknowledged request, the next request may again be retransmitted retry_cnt times.",
            source = "IBTA volume 1, section 9.7.6.1.3",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS},
            lookAt = {"whether each acknowledged request restores the retry count"})
    default void anAcknowledgementResetsTheRetryCount(@IntRange(min = 2, max = 6) int messages) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withRetries(AckTimeout.ofCode(13), 1));
            for (int i = 0; i < messages; i++) {
                pair.fault(Faults.loseFirst(ends.requester().qp(), 1));
                ends.responder().receive(i, 0, 8);
                ends.requester().send(i, 0, 8);
                ends.requester().sends().awaitIds((long) i);
                ends.responder().receives().awaitIds((long) i);
            }
        }
    }

    @Rule(
            id = "RETRY-10",
            text = "With an ACK timeout of 0, the requester waits for an acknowledgement without a time limit.",
            source = "ibv_modify_qp(3) (timeout); IBTA volume 1, section 9.7.6.1.3",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS, Needs.VIRTUAL_TIME},
            lookAt = {"whether the ACK timeout code 0 disables the ACK timeout"})
    default void withoutTimeoutTheRequesterWaits(@IntRange(max = 7) int retries) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withRetries(AckTimeout.NONE, retries));
            pair.fault(Faults.silence(ends.responder().qp()));
            ends.responder().receive(1, 0, 8);
            ends.requester().send(1, 0, 8);
            pair.first().pass(Duration.ofMinutes(10));
            ends.requester().sends().assertQuiet();
            ends.requester().qp().assertState(QpState.RTS);
        }
    }

    @Rule(
            id = "RETRY-11",
            text = "A lost acknowledgement does not make the responder consume a second receive for the same message.",
            source = "IBTA volume 1, section 9.7.5.1.2",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS},
            lookAt = {"whether the responder acknowledges a duplicate SEND without consuming a receive"})
    default void aRetransmittedMessageConsumesOneReceive(@IntRange(min = 1, max = 3) int lost) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(Connection.usual().withRetries(AckTimeout.ofCode(12), 7));
            pair.fault(Faults.loseFirst(ends.responder().qp(), lost));
            ends.responder().receive(1, 0, 8);
            ends.responder().receive(2, 0, 8);
            ends.requester().send(7, 0, 8);
            ends.requester().sends().awaitIds(7L);
            ends.responder().receives().awaitIds(1L);
            ends.responder().receives().assertQuiet();
            ends.requester().send(8, 0, 8);
            ends.responder().receives().awaitIds(2L);
        }
    }

    @Rule(
            id = "RETRY-12",
            text = "If packets are lost, duplicated, delayed and corrupted at the same time, each message arrives"
                    + " exactly once, in order and unaltered.",
            source = "IBTA volume 1, sections 9.6, 9.7.5 and 9.7.6",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.FAULTS},
            lookAt = {
                "the handling of a retransmitted packet that is lost or damaged again",
                "the handling of a late packet of a message that has already been retransmitted"
            })
    default void messagesArriveDespiteCombinedFaults(
            @From(LinkFaults.Any.class) LinkFaults faults,
            @IntRange(min = 1, max = 8) int messages,
            @IntRange(max = 1500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends =
                    pair.connected(Transfer.shape(), Transfer.connection().withRetries(AckTimeout.ofCode(9), 7));
            pair.fault(faults.plan());
            Transfer transfer = new Transfer(messages, length);
            transfer.send(ends);
            transfer.write(ends);
            transfer.read(ends);
        }
    }
}
