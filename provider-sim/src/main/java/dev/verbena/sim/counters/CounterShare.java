package dev.verbena.sim.counters;

import dev.verbena.sim.runtime.OwnLine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one task counts for its device, without an atomic operation: one thread at a time adds, any thread reads. Only the
 * counters that each packet moves are here, as fields beside each other: with many queue pairs each share is far away. What counts
 * as often as it does anything else may be a share itself, for the same reason.
 */
@SuppressWarnings("UnusedVariable") // The fields are reached through their handles.
public class CounterShare extends OwnLine {
    private static final VarHandle SENT_PKTS = field("sentPackets");
    private static final VarHandle SENT_BYTES = field("sentBytes");
    private static final VarHandle RCVD_PKTS = field("receivedPackets");
    private static final VarHandle RCVD_BYTES = field("receivedBytes");
    private static final VarHandle RDMA_SENDS = field("sends");
    private static final VarHandle RDMA_RECVS = field("receives");
    private static final VarHandle ACK_DEFERRED = field("deferred");

    // What only those that send use is at one end, and what only those that receive use at the other.
    private long sends;
    private long deferred;
    private long sentPackets;
    private long sentBytes;
    private long receivedPackets;
    private long receivedBytes;
    private long receives;

    /** Makes a share at zero, which {@link DeviceCounters#adopt} is to be told of. */
    protected CounterShare() {}

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(CounterShare.class, name, long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * Counts packets that are handed to the fabric.
     *
     * @param packets how many
     * @param bytes how long they are together
     */
    public final void sent(long packets, long bytes) {
        add(SENT_PKTS, packets);
        add(SENT_BYTES, bytes);
    }

    /**
     * Counts packets that passed the header checks.
     *
     * @param packets how many
     * @param bytes how long they are together
     */
    public final void received(long packets, long bytes) {
        add(RCVD_PKTS, packets);
        add(RCVD_BYTES, bytes);
    }

    /** Counts a response for the completer. */
    public final void deferred() {
        add(ACK_DEFERRED, 1);
    }

    /** Counts a SEND that ended. */
    public final void sendEnded() {
        add(RDMA_SENDS, 1);
    }

    /** Counts a receive that was filled. */
    public final void receiveEnded() {
        add(RDMA_RECVS, 1);
    }

    private void add(VarHandle count, long amount) {
        count.setOpaque(this, (long) count.getOpaque(this) + amount);
    }

    /** Whether shares count it; the others are counted for the whole device only. */
    static boolean counts(Counter counter) {
        return switch (counter) {
            case SENT_PKTS, SENT_BYTES, RCVD_PKTS, RCVD_BYTES, RDMA_SENDS, RDMA_RECVS, ACK_DEFERRED -> true;
            default -> false;
        };
    }

    /** Returns the count of this share, of a counter that shares count. */
    final long get(Counter counter) {
        return switch (counter) {
            case SENT_PKTS -> (long) SENT_PKTS.getOpaque(this);
            case SENT_BYTES -> (long) SENT_BYTES.getOpaque(this);
            case RCVD_PKTS -> (long) RCVD_PKTS.getOpaque(this);
            case RCVD_BYTES -> (long) RCVD_BYTES.getOpaque(this);
            case RDMA_SENDS -> (long) RDMA_SENDS.getOpaque(this);
            case RDMA_RECVS -> (long) RDMA_RECVS.getOpaque(this);
            case ACK_DEFERRED -> (long) ACK_DEFERRED.getOpaque(this);
            default -> throw new IllegalArgumentException("no share counts " + counter);
        };
    }
}
