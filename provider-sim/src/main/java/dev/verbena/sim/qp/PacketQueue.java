package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import org.jspecify.annotations.Nullable;

/**
 * Packets that wait for an engine, linked through themselves. Any thread adds, one takes. A peer that sends more than the
 * windows of the transport allow fills it, and no more than it.
 */
public final class PacketQueue {
    /** Several times what a peer may have under way, for the sake of repetitions. */
    private static final int CAPACITY = 1024;

    private @Nullable SimPacket head;
    private @Nullable SimPacket tail;
    private int count;
    private boolean closed;

    /** Creates an empty queue. */
    public PacketQueue() {}

    /**
     * Adds a packet; a full or closed queue gives it back to its pool.
     *
     * @param packet the packet, which belongs to the queue
     * @return false if it was given back
     */
    public boolean add(SimPacket packet) {
        synchronized (this) {
            if (!closed && count < CAPACITY) {
                count++;
                packet.next(null);
                SimPacket last = tail;
                if (last == null) {
                    head = packet;
                } else {
                    last.next(packet);
                }
                tail = packet;
                return true;
            }
        }
        packet.release();
        return false;
    }

    /**
     * Tells whether nothing waits.
     *
     * @return true if there is no packet
     */
    public synchronized boolean isEmpty() {
        return head == null;
    }

    /**
     * Takes the oldest packet.
     *
     * @return a packet that belongs to the caller, or null
     */
    public synchronized @Nullable SimPacket poll() {
        SimPacket first = head;
        if (first != null) {
            count--;
            head = first.next();
            if (head == null) {
                tail = null;
            }
        }
        return first;
    }

    /**
     * Drops all packets, and counts them.
     *
     * @param out where to count
     */
    void discard(QpOutput out) {
        for (SimPacket packet = poll(); packet != null; packet = poll()) {
            out.count(Counter.DROPPED_FAILED_QP);
            packet.release();
        }
    }

    /** Gives all packets back to their pool. */
    public void drain() {
        for (SimPacket packet = poll(); packet != null; packet = poll()) {
            packet.release();
        }
    }

    /** Takes no packets any more, and gives back those that wait. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        drain();
    }
}
