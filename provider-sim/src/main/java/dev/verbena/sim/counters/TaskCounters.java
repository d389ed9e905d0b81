// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.counters;

import dev.verbena.sim.runtime.CacheLinePadded;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of one task. Each device sums the counters of its tasks. One thread at a time increments the counters,
 * without an atomic operation; any thread may read the counters. With many queue pairs, each accessed cache line of this
 * object costs a cache miss. To use few cache lines, this class has fields only for the counters that each packet changes,
 * and these fields are adjacent. The requester and the responder of the loopback path extend {@code TaskCounters}, so that
 * their fields share cache lines with the counters.
 */
@SuppressWarnings("UnusedVariable") // Methods access each field through a VarHandle.
public class TaskCounters extends CacheLinePadded {
    private static final VarHandle SENT_PKTS = field("sentPackets");
    private static final VarHandle SENT_BYTES = field("sentBytes");
    private static final VarHandle RCVD_PKTS = field("receivedPackets");
    private static final VarHandle RCVD_BYTES = field("receivedBytes");
    private static final VarHandle RDMA_SENDS = field("sends");
    private static final VarHandle RDMA_RECVS = field("receives");
    private static final VarHandle ACK_DEFERRED = field("deferred");

    // Fields that only a send task changes come first; the field that only a receive task changes comes last.
    private long sends;
    private long deferred;
    private long sentPackets;
    private long sentBytes;
    private long receivedPackets;
    private long receivedBytes;
    private long receives;

    /** Makes counters with the value zero, to be passed to {@link DeviceCounters#adopt}. */
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
     * @param bytes the sum of their lengths
     */
    public final void sent(long packets, long bytes) {
        add(SENT_PKTS, packets);
        add(SENT_BYTES, bytes);
    }

    /**
     * Counts packets that passed the header checks.
     *
     * @param packets the number of packets
     * @param bytes the sum of their lengths
     */
    public final void received(long packets, long bytes) {
        add(RCVD_PKTS, packets);
        add(RCVD_BYTES, bytes);
    }

    /** Counts a response that was queued for the completer. */
    public final void deferred() {
        add(ACK_DEFERRED, 1);
    }

    /** Counts a SEND that completed. */
    public final void sendEnded() {
        add(RDMA_SENDS, 1);
    }

    /** Counts a receive request that a message completed with SUCCESS. */
    public final void receiveEnded() {
        add(RDMA_RECVS, 1);
    }

    private void add(VarHandle count, long amount) {
        count.setOpaque(this, (long) count.getOpaque(this) + amount);
    }

    /** Returns whether {@link TaskCounters} has a field for the counter; if not, only {@link DeviceCounters} has one. */
    static boolean counts(Counter counter) {
        return switch (counter) {
            case SENT_PKTS, SENT_BYTES, RCVD_PKTS, RCVD_BYTES, RDMA_SENDS, RDMA_RECVS, ACK_DEFERRED -> true;
            default -> false;
        };
    }

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
