// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.memory.KeyDefect;
import dev.verbena.verbs.Finding;
import dev.verbena.verbs.Hint;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.wire.Ipv6Header;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects the {@link Hint}s for the diagnosis of a queue pair. Hints about the recorded failure come first, then hints
 * about event counters, then hints about QP attributes.
 */
final class QpFindings {
    private static final int GRH_LENGTH = Ipv6Header.LENGTH;

    private final QpRecord record;
    private final QpFacts qp;
    private final QpRecord.Failure failure;
    private final QpAttributes attributes;
    private final QpSurroundings surroundings;
    private final List<Finding> findings = new ArrayList<>();

    private QpFindings(
            QpRecord record,
            QpFacts qp,
            QpRecord.Failure failure,
            QpAttributes attributes,
            QpSurroundings surroundings) {
        this.record = record;
        this.qp = qp;
        this.failure = failure;
        this.attributes = attributes;
        this.surroundings = surroundings;
    }

    static List<Finding> of(
            QpRecord record,
            QpFacts qp,
            QpRecord.Failure failure,
            QpAttributes attributes,
            QpSurroundings surroundings) {
        QpFindings all = new QpFindings(record, qp, failure, attributes, surroundings);
        all.ofFailure();
        all.ofReceives();
        all.ofPeer();
        all.ofDrops();
        all.ofPosts();
        all.ofAttributes();
        return all.findings;
    }

    private void add(Hint hint, String observation) {
        findings.add(new Finding(hint, observation));
    }

    private long count(Counter counter) {
        return record.count(counter.ordinal());
    }

    private static String times(long count) {
        return count == 1 ? "once" : count + " times";
    }

    private static String packets(long count) {
        return count == 1 ? "1 packet was" : count + " packets were";
    }

    private void ofFailure() {
        String what = FailureText.describe(failure);
        switch (failure.cause()) {
            case NONE, MESSAGE_ORDER, MESSAGE_LENGTH, NO_SUCH_OPERATION, NO_ADDRESS, ENGINE_FAILED -> {
                // No `Hint` is added, because it would only repeat the description of the failure.
            }
            case TAKEN_TO_ERROR -> add(Hint.TAKEN_TO_ERROR, what);
            case CQ_OVERRUN -> surroundings.overruns().forEach(text -> add(Hint.CQ_OVERRUN, text));
            case NAK -> add(Hint.PEER_REFUSED, what);
            case RETRIES_USED_UP -> ofSilence();
            case RNR_RETRIES_USED_UP ->
                add(Hint.RECEIVE_QUEUE_EMPTY, "the peer had no receive " + times(count(Counter.RCVD_RNR_ERR)));
            case BAD_RESPONSE -> add(Hint.NONSENSE_ANSWER, what);
            case READ_LENGTH -> add(Hint.PATH_MTU_MISMATCH, what);
            case PACKET_LENGTH -> {
                if (failure.first() != 0) {
                    add(Hint.PATH_MTU_MISMATCH, what);
                }
            }
            case LOCAL_KEY, RECEIVE_KEY ->
                add(failure.keyDefect() == KeyDefect.VANISHED ? Hint.MEMORY_CLOSED : Hint.LOCAL_KEY_REFUSED, what);
            case NO_READ_DEPTH -> add(Hint.MAX_RD_ATOMIC_0, what);
            case LOCAL_OPERATION -> add(Hint.LOCAL_OPERATION_REFUSED, what);
            case DATAGRAM_LENGTH -> add(Hint.DATAGRAM_TOO_LONG, what);
            case QP_ACCESS -> add(Hint.QP_LACKS_ACCESS, what);
            case NO_RESPONDER_DEPTH -> add(Hint.MAX_DEST_RD_ATOMIC_0, what);
            case MISALIGNED -> add(Hint.ATOMIC_MISALIGNED, what);
            case REMOTE_KEY -> ofKey(what);
            case RECEIVE_LENGTH -> ofReceiveLength(what);
            case INVALIDATE -> add(Hint.INVALIDATE_REFUSED, what);
        }
    }

    private void ofSilence() {
        if (!surroundings.peerReachable()) {
            add(Hint.PEER_UNREACHABLE, "no port on the network has the peer's address");
        } else if (record.lastResponsePsn == QpRecord.NONE) {
            add(
                    Hint.PEER_NEVER_ANSWERED,
                    "the peer's address is reachable, but this queue pair never received a response");
        } else {
            add(Hint.PEER_WENT_SILENT, "the last response of the peer was for PSN " + record.lastResponsePsn);
        }
    }

    private void ofKey(String what) {
        switch (failure.keyDefect()) {
            case UNKNOWN -> add(Hint.KEY_UNKNOWN, what);
            case OF_ANOTHER -> add(Hint.KEY_OF_ANOTHER_DOMAIN, what);
            case LACKS_RIGHT -> add(Hint.KEY_LACKS_RIGHT, what);
            case OUT_OF_RANGE -> add(Hint.KEY_OUT_OF_RANGE, what);
            case VANISHED -> add(Hint.MEMORY_CLOSED, what);
            case NONE -> {
                // The device denied an access, but a later call of `MemoryTable.defect` found no reason for the denial.
            }
        }
    }

    private void ofReceiveLength(String what) {
        boolean onlyTheHeader = qp.type() == QpType.UD && failure.first() - GRH_LENGTH <= failure.second();
        add(onlyTheHeader ? Hint.NO_ROOM_FOR_ROUTING_HEADER : Hint.RECEIVE_TOO_SMALL, what);
    }

    private void ofReceives() {
        String fate = qp.type() == QpType.RC ? ", each delayed the sender by an RNR timer" : ", and was dropped";
        if (record.receiving.early > 0) {
            boolean shared = surroundings.sharedReceives();
            add(
                    shared ? Hint.SRQ_EMPTY : Hint.SEND_BEFORE_RECEIVE,
                    "a message arrived before any receive was " + (shared ? "in the shared queue, " : "posted, ")
                            + times(record.receiving.early) + fate);
        }
        if (record.receiving.late > 0) {
            add(
                    surroundings.sharedReceives() ? Hint.SRQ_EMPTY : Hint.RECEIVE_QUEUE_EMPTY,
                    "a message arrived when no receive was left, " + times(record.receiving.late) + fate);
        }
    }

    private void ofPeer() {
        long rnr = count(Counter.RCVD_RNR_ERR);
        if (rnr > 0 && record.lastRnrCode == 0) {
            add(Hint.RNR_TIMER_IS_655_MS, "the peer requested a wait of 655.36 ms, RNR timer code 0, " + times(rnr));
        }
        if (rnr > 0 && qp.rnrForever()) {
            add(Hint.RNR_RETRY_FOREVER, "the peer had no receive " + times(rnr) + ", and rnr_retry is 7");
        }
        long ahead = count(Counter.OUT_OF_SEQ_REQUEST);
        long behind = count(Counter.DUPLICATE_REQUEST);
        if (record.receiving.lastRequestPsn == QpRecord.NONE && ahead + behind > 0) {
            add(
                    Hint.PSN_MISMATCH,
                    "no request has ever had the expected PSN; " + ahead + " were ahead of it and " + behind
                            + " behind");
        } else if (behind > 0) {
            add(Hint.ANSWERS_TOO_LATE, "requests that had been executed arrived again " + times(behind));
        }
    }

    private void ofDrops() {
        long value = record.strangeKey;
        drop(Counter.DROPPED_QP_STATE, Hint.PACKETS_BEFORE_RTR, " dropped because of the queue pair's state");
        drop(
                Counter.DROPPED_QKEY,
                Hint.WRONG_QKEY,
                " dropped because of a Q_Key other than 0x" + Integer.toHexString(qp.queueKey())
                        + ", the last wrong key was 0x" + Long.toHexString(value & 0xFFFF_FFFFL));
        drop(
                Counter.DROPPED_PKEY,
                Hint.WRONG_PKEY,
                " dropped because of the P_Key, the last wrong key was 0x" + Long.toHexString(value & 0xFFFFL));
        drop(Counter.DROPPED_ADDRESS, Hint.WRONG_SOURCE, " dropped because of addresses that do not match the path");
        long unreliable =
                count(Counter.DROPPED_NO_RECEIVE) + count(Counter.DROPPED_INCOMPLETE) + count(Counter.DROPPED_REFUSED);
        if (unreliable > 0) {
            add(
                    Hint.UNRELIABLE_DROPS,
                    packets(unreliable) + " dropped: " + count(Counter.DROPPED_NO_RECEIVE) + " without a receive, "
                            + count(Counter.DROPPED_INCOMPLETE) + " of incomplete messages, "
                            + count(Counter.DROPPED_REFUSED) + " refused");
        }
    }

    private void drop(Counter counter, Hint hint, String why) {
        if (count(counter) > 0) {
            add(hint, packets(count(counter)) + why);
        }
    }

    private void ofPosts() {
        if (failure.cause() != FailureCause.CQ_OVERRUN) {
            surroundings.overruns().forEach(text -> add(Hint.CQ_OVERRUN, text));
        }
        if (record.wrongState > 0) {
            add(
                    Hint.POST_IN_WRONG_STATE,
                    "a request was refused because of the queue pair's state, " + times(record.wrongState));
        }
        if (record.sendQueueFull > 0) {
            add(Hint.SEND_QUEUE_FULL, "the send queue was full, " + times(record.sendQueueFull));
        }
        int depth = qp.sendQueue().capacity();
        if (record.unsignaledRun >= depth) {
            add(
                    Hint.NEVER_SIGNALED,
                    "the last " + record.unsignaledRun + " requests were unsignaled, and the queue holds " + depth);
        }
    }

    private void ofAttributes() {
        if (qp.type() != QpType.RC) {
            return;
        }
        QpState state = qp.state();
        boolean receives = state.compareTo(QpState.RTR) >= 0;
        if (receives
                && attributes.has(QpAttribute.MIN_RNR_TIMER)
                && attributes.minRnrTimer().equals(RnrTimer.ofCode(0))) {
            add(Hint.RNR_TIMER_IS_655_MS, "min_rnr_timer is 0, so that a peer waits 655.36 ms for a receive");
        }
        if (attributes.has(QpAttribute.TIMEOUT) && attributes.ackTimeout().isNone()) {
            add(Hint.NO_ACK_TIMEOUT, "the ACK timeout is 0");
        }
        if (attributes.has(QpAttribute.RETRY_CNT) && attributes.retryCount() == 0) {
            add(Hint.RETRY_COUNT_0, "retry_cnt is 0");
        }
        if (attributes.has(QpAttribute.RNR_RETRY) && attributes.rnrRetryCount().code() == 0) {
            add(Hint.RNR_RETRY_COUNT_0, "rnr_retry is 0");
        }
    }
}
