// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import org.jspecify.annotations.Nullable;

/**
 * The packets that wait for one half of a queue pair, linked through {@link SimPacket#next()}: {@code req_pkts} and {@code resp_pkts}
 * of rxe. Any thread adds packets; the owner of the task takes them. Packets beyond {@code CAPACITY} are dropped; only a peer that
 * exceeds its window sends as many.
 *
 * <p>Packets that the owner of the task adds itself are in a separate list, without a lock, and are taken first. So the
 * owner may add them only while no packet of another thread waits.
 */
public final class PacketQueue {
    /** Several times the packets a peer may have in flight, because duplicates come on top. */
    private static final int CAPACITY = 1024;

    private @Nullable SimPacket head;
    private @Nullable SimPacket tail;
    private volatile int count;
    private boolean closed;

    // Used only by the owner of the task.
    private @Nullable SimPacket ownerHead;
    private @Nullable SimPacket ownerTail;

    /** Creates an empty queue. */
    public PacketQueue() {}

    /**
     * Adds a packet. If the queue is full or closed, the packet goes back to its pool.
     *
     * @param packet the packet; the queue takes ownership
     * @return false if the packet went back to its pool
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
     * Returns whether no packet waits. The caller must own the task.
     *
     * @return true if the queue is empty
     */
    public boolean isEmpty() {
        return ownerHead == null && count == 0;
    }

    /**
     * Adds a packet as the owner of the task, while {@link #isSharedEmpty()} is true.
     *
     * @param packet the packet; the queue takes ownership
     */
    public void addByOwner(SimPacket packet) {
        packet.next(null);
        SimPacket last = ownerTail;
        if (last == null) {
            ownerHead = packet;
        } else {
            last.next(packet);
        }
        ownerTail = packet;
    }

    /**
     * Splits a segment batch: its packets will be taken next. The caller must own the task.
     *
     * @param batch a segment batch that was polled; it goes back to its pool
     */
    void takeApart(SimPacket batch) {
        SimPacket last = batch.apart(ownerHead);
        ownerHead = last;
        if (ownerTail == null) {
            for (SimPacket next = last.next(); next != null; next = next.next()) {
                last = next;
            }
            ownerTail = last;
        }
    }

    /**
     * Returns whether no packet waits that another thread has added.
     *
     * @return true if there is none
     */
    public boolean isSharedEmpty() {
        return count == 0;
    }

    /**
     * Returns whether a packet waits that {@link #addByOwner} has added. The caller must own the task.
     *
     * @return true if there is one
     */
    public boolean hasOwnerPackets() {
        return ownerHead != null;
    }

    /**
     * Takes the oldest packet. The caller must own the task.
     *
     * @return a packet that belongs to the caller, or null if none waits
     */
    public @Nullable SimPacket poll() {
        SimPacket first = ownerHead;
        if (first != null) {
            ownerHead = first.next();
            if (ownerHead == null) {
                ownerTail = null;
            }
            return first;
        }
        return count == 0 ? null : pollShared();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // Written under the lock.
    private synchronized @Nullable SimPacket pollShared() {
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
     * Drops all packets and counts them as DROPPED_FAILED_QP.
     *
     * @param out receives the counts
     */
    void discard(QpOutput out) {
        for (SimPacket packet = poll(); packet != null; packet = poll()) {
            out.count(Counter.DROPPED_FAILED_QP);
            packet.release();
        }
    }

    /** Returns all packets to their pool, uncounted. */
    public void drain() {
        for (SimPacket packet = poll(); packet != null; packet = poll()) {
            packet.release();
        }
    }

    /** Closes the queue to further packets and returns the waiting ones to their pool. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        drain();
    }
}
