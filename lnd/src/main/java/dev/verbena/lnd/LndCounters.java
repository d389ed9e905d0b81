package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Counts what a node's driver does. Written and read under the node's lock. */
final class LndCounters {

    private final long[] sent = new long[MessageType.values().length];
    private final long[] received = new long[MessageType.values().length];
    private final long[] completions = new long[WorkCompletionStatus.values().length];
    private final long[] rejectsSent = new long[RejectReason.values().length];
    private final long[] rejectsReceived = new long[RejectReason.values().length];
    private long rdmaWrites;
    private long rdmaBytes;
    private long established;
    private long closedWithError;
    private long defects;
    private long ignored;

    void sent(TxDescriptor tx) {
        sent[tx.type().ordinal()]++;
        @Nullable Bulk bulk = tx.bulk();
        if (bulk != null && bulk.writes().writes() > 0) {
            rdmaWrites += bulk.writes().writes();
            rdmaBytes += tx.message().completion().status();
        }
    }

    void received(MessageType type) {
        received[type.ordinal()]++;
    }

    void completed(WorkCompletionStatus status) {
        completions[status.ordinal()]++;
    }

    void rejectSent(RejectReason reason) {
        rejectsSent[reason.ordinal()]++;
    }

    void rejectReceived(RejectReason reason) {
        rejectsReceived[reason.ordinal()]++;
    }

    void established() {
        established++;
    }

    void closed(int errno) {
        closedWithError += errno == 0 ? 0 : 1;
    }

    /** A message that failed its checks. */
    void defect() {
        defects++;
    }

    /** A verb refused to undo something that was undone already, or an event came too late to matter. */
    void ignored() {
        ignored++;
    }

    O2ibStatistics snapshot(Net net) {
        return new O2ibStatistics(
                map(MessageType.class, sent),
                map(MessageType.class, received),
                map(WorkCompletionStatus.class, completions),
                map(RejectReason.class, rejectsSent),
                map(RejectReason.class, rejectsReceived),
                rdmaWrites,
                rdmaBytes,
                sum(net, partition -> partition.bulks().bounced()),
                registration(net),
                established,
                closedWithError,
                defects,
                ignored,
                (int) sum(net, partition -> partition.transmits().inUse()),
                net.memory().freeBytes(),
                net.peers().statistics());
    }

    private static O2ibStatistics.RegistrationStatistics registration(Net net) {
        return new O2ibStatistics.RegistrationStatistics(
                net.partitions().getFirst().registrations().kind(),
                (int) sum(net, partition -> partition.registrations().objects()),
                (int) sum(net, partition -> partition.registrations().pools()),
                (int) sum(net, partition -> partition.registrations().inUse()));
    }

    private static long sum(Net net, ToLongFunction<Partition> what) {
        return net.hcas().stream()
                .flatMap(hca -> hca.partitions().stream())
                .mapToLong(what)
                .sum();
    }

    private static <E extends Enum<E>> Map<E, Long> map(Class<E> type, long[] counts) {
        Map<E, Long> map = new EnumMap<>(type);
        for (E key : type.getEnumConstants()) {
            map.put(key, counts[key.ordinal()]);
        }
        return Collections.unmodifiableMap(map);
    }
}
