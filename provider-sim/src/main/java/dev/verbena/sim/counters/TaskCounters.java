// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.counters;

import dev.verbena.sim.runtime.CacheLinePadded;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A task's share of its device's counters, without an atomic operation: one thread at a time adds, any thread reads.
 * The share has only the counters that each packet changes, in adjacent fields: with many queue pairs each share is a
 * cache miss. An object that counts at each access may extend this class, for the same reason.
 */
@SuppressWarnings("UnusedVariable") // The fields are reached through their handles.
public class TaskCounters extends CacheLinePadded {
    private static final VarHandle SENT_PKTS = field("sentPackets");
    private static final VarHandle SENT_BYTES = field("sentBytes");
    private static final VarHandle RCVD_PKTS = field("receivedPackets");
    private static final VarHandle RCVD_BYTES = field("receivedBytes");
    private static final VarHandle RDMA_SENDS = field("sends");
    private static final VarHandle RDMA_RECVS = field("receives");
    private static final VarHandle ACK_DEFERRED = field("deferred");

    // Fields that only senders use are at one end, and fields that only receivers use at the other.
    private long sends;
    private long deferred;
    private long sentPackets;
    private long sentBytes;
    private long receivedPackets;
    private long receivedBytes;
    private long receives;

    /** Makes a share at zero, to be passed to {@link DeviceCounters#adopt}. */
    protected TaskCounters() {}

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(TaskCounters.class, name, long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * Counts packets that are passed to the fabric.
     *
     * @param packets the number of packets
     * @param bytes their length together
     */
    public final void sent(long packets, long bytes) {
        add(SENT_PKTS, packets);
        add(SENT_BYTES, bytes);
    }

    /**
     * Counts packets that passed the header checks.
     *
     * @param packets the number of packets
     * @param bytes their length together
     */
    public final void received(long packets, long bytes) {
        add(RCVD_PKTS, packets);
        add(RCVD_BYTES, bytes);
    }

    /** Counts a response for the completer. */
    public final void deferred() {
        add(ACK_DEFERRED, 1);
    }

    /** Counts a SEND that completed. */
    public final void sendEnded() {
        add(RDMA_SENDS, 1);
    }

    /** Counts a receive that a message completed. */
    public final void receiveEnded() {
        add(RDMA_RECVS, 1);
    }

    private void add(VarHandle count, long amount) {
        count.setOpaque(this, (long) count.getOpaque(this) + amount);
    }

    /** Returns whether shares have the counter. The other counters exist only for the whole device. */
    static boolean counts(Counter counter) {
        return switch (counter) {
            case SENT_PKTS, SENT_BYTES, RCVD_PKTS, RCVD_BYTES, RDMA_SENDS, RDMA_RECVS, ACK_DEFERRED -> true;
            default -> false;
        };
    }

    /** Returns this share's value of a counter. */
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
