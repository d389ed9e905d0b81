// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one CPU partition, guarded by the lock of the partition. The array {@code counts} begins with the
 * counters that every LNet message changes.
 */
final class LndCounters {

    private static final int TYPES = MessageType.values().length;
    private static final int STATUSES = WorkCompletionStatus.values().length;
    private static final int REASONS = RejectReason.values().length;

    private static final int SUCCEEDED = 0;
    /** Each message type has two counters: one for messages sent, and one for messages received. */
    private static final int SENT = 1;

    private static final int RECEIVED = SENT + 1;
    private static final int RDMA_WRITES = SENT + 2 * TYPES;
    private static final int RDMA_BYTES = RDMA_WRITES + 1;
    private static final int ESTABLISHED = RDMA_BYTES + 1;
    private static final int CLOSED_WITH_ERROR = ESTABLISHED + 1;
    private static final int DEFECTS = CLOSED_WITH_ERROR + 1;
    private static final int IGNORED = DEFECTS + 1;
    private static final int COMPLETIONS = IGNORED + 1;
    private static final int REJECTS_SENT = COMPLETIONS + STATUSES;
    private static final int REJECTS_RECEIVED = REJECTS_SENT + REASONS;

    private final long[] counts = new long[REJECTS_RECEIVED + REASONS];

    void sent(TxDescriptor tx) {
        counts[SENT + 2 * tx.type().ordinal()]++;
        @Nullable RdmaTransfer transfer = tx.transfer();
        if (transfer != null && transfer.writes().writes() > 0) {
            counts[RDMA_WRITES] += transfer.writes().writes();
            counts[RDMA_BYTES] += tx.message().completion().status();
        }
    }

    void received(MessageType type) {
        counts[RECEIVED + 2 * type.ordinal()]++;
    }

    void completed(WorkCompletionStatus status) {
        counts[status == WorkCompletionStatus.SUCCESS ? SUCCEEDED : COMPLETIONS + status.ordinal()]++;
    }

    void rejectSent(RejectReason reason) {
        counts[REJECTS_SENT + reason.ordinal()]++;
    }

    void rejectReceived(RejectReason reason) {
        counts[REJECTS_RECEIVED + reason.ordinal()]++;
    }

    void established() {
        counts[ESTABLISHED]++;
    }

    void closed(int errno) {
        counts[CLOSED_WITH_ERROR] += errno == 0 ? 0 : 1;
    }

    void defect() {
        counts[DEFECTS]++;
    }

    /** Counts an event or a failed verb that the LND ignores. */
    void ignored() {
        counts[IGNORED]++;
    }

    void add(LndCounters other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
    }

    O2ibStatistics with(
            long bounced,
            O2ibStatistics.RegistrationStatistics registration,
            int transmitsInUse,
            long freeMemory,
            List<O2ibStatistics.ConnectionStatistics> connections) {
        Map<WorkCompletionStatus, Long> completions = map(WorkCompletionStatus.class, COMPLETIONS, 1);
        completions.put(WorkCompletionStatus.SUCCESS, counts[SUCCEEDED]);
        return new O2ibStatistics(new O2ibStatistics.Values(
                Collections.unmodifiableMap(map(MessageType.class, SENT, 2)),
                Collections.unmodifiableMap(map(MessageType.class, RECEIVED, 2)),
                Collections.unmodifiableMap(completions),
                Collections.unmodifiableMap(map(RejectReason.class, REJECTS_SENT, 1)),
                Collections.unmodifiableMap(map(RejectReason.class, REJECTS_RECEIVED, 1)),
                counts[RDMA_WRITES],
                counts[RDMA_BYTES],
                bounced,
                registration,
                counts[ESTABLISHED],
                counts[CLOSED_WITH_ERROR],
                counts[DEFECTS],
                counts[IGNORED],
                transmitsInUse,
                freeMemory,
                connections));
    }

    private <E extends Enum<E>> Map<E, Long> map(Class<E> type, int first, int step) {
        Map<E, Long> map = new EnumMap<>(type);
        for (E key : type.getEnumConstants()) {
            map.put(key, counts[first + step * key.ordinal()]);
        }
        return map;
    }
}
