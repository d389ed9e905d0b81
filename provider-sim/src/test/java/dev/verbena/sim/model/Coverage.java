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

/** What has to occur over all programs: what never occurred was not tested. */
final class Coverage {
    private static final Map<QpType, Set<WorkCompletionStatus>> SENT = new EnumMap<>(Map.of(
            QpType.RC,
            EnumSet.of(
                    WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR,
                    WorkCompletionStatus.LOCAL_PROTECTION_ERROR,
                    WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR,
                    WorkCompletionStatus.MEMORY_WINDOW_BIND_ERROR,
                    WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR,
                    WorkCompletionStatus.REMOTE_ACCESS_ERROR,
                    WorkCompletionStatus.REMOTE_OPERATION_ERROR,
                    WorkCompletionStatus.RETRY_EXCEEDED_ERROR,
                    WorkCompletionStatus.RNR_RETRY_EXCEEDED_ERROR),
            QpType.UC,
            EnumSet.of(
                    WorkCompletionStatus.LOCAL_PROTECTION_ERROR,
                    WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR,
                    WorkCompletionStatus.MEMORY_WINDOW_BIND_ERROR),
            QpType.UD,
            EnumSet.of(
                    WorkCompletionStatus.LOCAL_LENGTH_ERROR,
                    WorkCompletionStatus.LOCAL_PROTECTION_ERROR,
                    WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR)));

    private static final Map<QpType, Set<WorkCompletionStatus>> RECEIVED = new EnumMap<>(Map.of(
            QpType.RC,
            EnumSet.of(
                    WorkCompletionStatus.LOCAL_LENGTH_ERROR,
                    WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR,
                    WorkCompletionStatus.LOCAL_PROTECTION_ERROR,
                    WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR,
                    WorkCompletionStatus.LOCAL_ACCESS_ERROR),
            QpType.UC,
            EnumSet.of(
                    WorkCompletionStatus.LOCAL_LENGTH_ERROR,
                    WorkCompletionStatus.LOCAL_PROTECTION_ERROR,
                    WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR),
            QpType.UD,
            EnumSet.of(
                    WorkCompletionStatus.LOCAL_LENGTH_ERROR,
                    WorkCompletionStatus.LOCAL_PROTECTION_ERROR,
                    WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR)));

    /** What two devices of this kind never give each other. */
    private static final Set<WorkCompletionStatus> IMPOSSIBLE = EnumSet.of(
            // Only a peer that answers nonsense causes it; the tests with a peer made by hand have that.
            WorkCompletionStatus.BAD_RESPONSE_ERROR,
            // These are for reliable datagrams, which no device has.
            WorkCompletionStatus.LOCAL_EEC_OPERATION_ERROR,
            WorkCompletionStatus.LOCAL_RDD_VIOLATION_ERROR,
            WorkCompletionStatus.REMOTE_INVALID_RD_REQUEST_ERROR,
            WorkCompletionStatus.INVALID_EECN_ERROR,
            WorkCompletionStatus.INVALID_EEC_STATE_ERROR,
            // Soft-RoCE has it, for another answer that makes no sense.
            WorkCompletionStatus.FATAL_ERROR,
            // Management gives it, and hardware the others.
            WorkCompletionStatus.RESPONSE_TIMEOUT_ERROR,
            WorkCompletionStatus.REMOTE_ABORTED_ERROR,
            WorkCompletionStatus.GENERAL_ERROR,
            WorkCompletionStatus.TAG_MATCHING_ERROR,
            WorkCompletionStatus.TAG_MATCHING_RENDEZVOUS_INCOMPLETE);

    private Coverage() {}

    /** The names under which a tally counts what must occur. */
    static Set<String> demanded() {
        Set<String> names = new TreeSet<>(Wire.refusals());
        for (QpType type : QpType.values()) {
            Arrays.stream(SendOpcode.values())
                    .filter(opcode -> opcode.supportedOn(type))
                    .forEach(opcode -> {
                        names.add(Tally.posted(type, opcode));
                        names.add(Tally.sent(type, opcode.completionOpcode()));
                    });
            names.add(Tally.postedReceive(type, false));
            names.add(Tally.postedReceive(type, true));
            names.add(Tally.received(type, WorkCompletionOpcode.RECEIVE));
            if (type != QpType.UD) {
                names.add(Tally.received(type, WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE));
            }
            SENT.getOrDefault(type, Set.of()).forEach(status -> names.add(Tally.sent(type, status)));
            RECEIVED.getOrDefault(type, Set.of()).forEach(status -> names.add(Tally.received(type, status)));
        }
        for (Fault.Kind kind : Fault.Kind.values()) {
            names.add(Tally.fault(kind));
        }
        for (PostRefusal refusal : List.of(PostRefusal.QUEUE_FULL, PostRefusal.BAD_ATOMIC)) {
            names.add(Tally.refused(refusal));
        }
        for (AsyncEventType type : List.of(
                AsyncEventType.QP_ACCESS_ERROR,
                AsyncEventType.QP_REQUEST_ERROR,
                AsyncEventType.QP_LAST_WQE_REACHED,
                AsyncEventType.SQ_DRAINED)) {
            names.add(Tally.event(type));
        }
        packets().stream().map(Wire::packets).forEach(names::add);
        return names;
    }

    /** The packets that must occur: all that the transports have. */
    static List<Opcode> packets() {
        Set<Transport> transports = EnumSet.of(Transport.RC, Transport.UC, Transport.UD);
        return Arrays.stream(Opcode.values())
                .filter(opcode -> transports.contains(opcode.transport()))
                .toList();
    }

    static void check(Tally tally) {
        assertThat(tally.counts().keySet()).containsAll(demanded());
    }

    /** Whether every status is either demanded of some type or said to be impossible. */
    static void checkStatuses() {
        Set<WorkCompletionStatus> rest = EnumSet.complementOf(EnumSet.of(WorkCompletionStatus.SUCCESS));
        SENT.values().forEach(rest::removeAll);
        RECEIVED.values().forEach(rest::removeAll);
        assertThat(rest).isEqualTo(IMPOSSIBLE);
    }
}
