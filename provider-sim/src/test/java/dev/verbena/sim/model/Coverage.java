// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Transport;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The set of events that must occur over all programs. An event that never occurred was not tested. */
final class Coverage {
    private static final Map<QpType, Set<WorkCompletionStatus>> SENT = new EnumMap<>(Map.of(
            QpType.RC,
            EnumSet.of(
                    WorkCompletionStatus.LOC_QP_OP_ERR,
                    WorkCompletionStatus.LOC_PROT_ERR,
                    WorkCompletionStatus.WR_FLUSH_ERR,
                    WorkCompletionStatus.MW_BIND_ERR,
                    WorkCompletionStatus.REM_INV_REQ_ERR,
                    WorkCompletionStatus.REM_ACCESS_ERR,
                    WorkCompletionStatus.REM_OP_ERR,
                    WorkCompletionStatus.RETRY_EXC_ERR,
                    WorkCompletionStatus.RNR_RETRY_EXC_ERR),
            QpType.UC,
            EnumSet.of(
                    WorkCompletionStatus.LOC_PROT_ERR,
                    WorkCompletionStatus.WR_FLUSH_ERR,
                    WorkCompletionStatus.MW_BIND_ERR),
            QpType.UD,
            EnumSet.of(
                    WorkCompletionStatus.LOC_LEN_ERR,
                    WorkCompletionStatus.LOC_PROT_ERR,
                    WorkCompletionStatus.WR_FLUSH_ERR)));

    private static final Map<QpType, Set<WorkCompletionStatus>> RECEIVED = new EnumMap<>(Map.of(
            QpType.RC,
            EnumSet.of(
                    WorkCompletionStatus.LOC_LEN_ERR,
                    WorkCompletionStatus.LOC_QP_OP_ERR,
                    WorkCompletionStatus.LOC_PROT_ERR,
                    WorkCompletionStatus.WR_FLUSH_ERR,
                    WorkCompletionStatus.LOC_ACCESS_ERR),
            QpType.UC,
            EnumSet.of(
                    WorkCompletionStatus.LOC_LEN_ERR,
                    WorkCompletionStatus.LOC_PROT_ERR,
                    WorkCompletionStatus.WR_FLUSH_ERR),
            QpType.UD,
            EnumSet.of(
                    WorkCompletionStatus.LOC_LEN_ERR,
                    WorkCompletionStatus.LOC_PROT_ERR,
                    WorkCompletionStatus.WR_FLUSH_ERR)));

    /** Statuses that two devices of this kind never cause. */
    private static final Set<WorkCompletionStatus> IMPOSSIBLE = EnumSet.of(
            // Only a peer that answers incorrectly causes it; the tests with a hand-made peer cover it.
            WorkCompletionStatus.BAD_RESP_ERR,
            // Statuses of reliable datagrams, which no device has.
            WorkCompletionStatus.LOC_EEC_OP_ERR,
            WorkCompletionStatus.LOC_RDD_VIOL_ERR,
            WorkCompletionStatus.REM_INV_RD_REQ_ERR,
            WorkCompletionStatus.INV_EECN_ERR,
            WorkCompletionStatus.INV_EEC_STATE_ERR,
            // Soft-RoCE reports it for another incorrect answer.
            WorkCompletionStatus.FATAL_ERR,
            // Management reports it, and hardware the others.
            WorkCompletionStatus.RESP_TIMEOUT_ERR,
            WorkCompletionStatus.REM_ABORT_ERR,
            WorkCompletionStatus.GENERAL_ERR,
            WorkCompletionStatus.TM_ERR,
            WorkCompletionStatus.TM_RNDV_INCOMPLETE,
            WorkCompletionStatus.UNKNOWN);

    private Coverage() {}

    /** The names under which a tally counts the events that must occur. */
    static Set<String> demanded() {
        Set<String> names = new TreeSet<>(Wire.refusals());
        for (QpType type : QpType.values()) {
            Arrays.stream(SendOpcode.values())
                    .filter(opcode -> opcode.supportedOn(type))
                    .forEach(opcode -> {
                        names.add(EventCounts.posted(type, opcode));
                        names.add(EventCounts.sent(type, opcode.completionOpcode()));
                    });
            names.add(EventCounts.postedReceive(type, false));
            names.add(EventCounts.postedReceive(type, true));
            names.add(EventCounts.received(type, WorkCompletionOpcode.RECV));
            if (type != QpType.UD) {
                names.add(EventCounts.received(type, WorkCompletionOpcode.RECV_RDMA_WITH_IMM));
            }
            SENT.getOrDefault(type, Set.of()).forEach(status -> names.add(EventCounts.sent(type, status)));
            RECEIVED.getOrDefault(type, Set.of()).forEach(status -> names.add(EventCounts.received(type, status)));
        }
        for (Fault.Kind kind : Fault.Kind.values()) {
            names.add(EventCounts.fault(kind));
        }
        for (PostRefusal refusal : List.of(PostRefusal.QUEUE_FULL, PostRefusal.BAD_ATOMIC)) {
            names.add(EventCounts.refused(refusal));
        }
        for (AsyncEventType type : List.of(
                AsyncEventType.QP_ACCESS_ERR,
                AsyncEventType.QP_REQ_ERR,
                AsyncEventType.QP_LAST_WQE_REACHED,
                AsyncEventType.SQ_DRAINED)) {
            names.add(EventCounts.event(type));
        }
        packets().stream().map(Wire::packets).forEach(names::add);
        return names;
    }

    /** Returns the packets that must occur: all those of the transports. */
    static List<Opcode> packets() {
        Set<Transport> transports = EnumSet.of(Transport.RC, Transport.UC, Transport.UD);
        return Arrays.stream(Opcode.values())
                .filter(opcode -> transports.contains(opcode.transport()))
                .toList();
    }

    static void check(EventCounts tally) {
        assertThat(tally.counts().keySet()).containsAll(demanded());
    }

    /** Checks that every status is either demanded of a type or listed as impossible. */
    static void checkStatuses() {
        Set<WorkCompletionStatus> rest = EnumSet.complementOf(EnumSet.of(WorkCompletionStatus.SUCCESS));
        SENT.values().forEach(rest::removeAll);
        RECEIVED.values().forEach(rest::removeAll);
        assertThat(rest).isEqualTo(IMPOSSIBLE);
    }
}
