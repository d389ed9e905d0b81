// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import org.jspecify.annotations.Nullable;

/**
 * The received packets that the responder or completer of a queue pair has not handled yet, linked through {@link
 * SimPacket#next()}: {@code req_pkts} and {@code resp_pkts} of rxe. Any thread may add packets. Only the thread that owns
 * the queue's task (the responder's receive task, or the completer's send task) removes packets. Packets beyond {@code
 * CAPACITY} are dropped; only a peer that exceeds its send window causes such drops. Packets that {@link #addByOwner} adds
 * are in a separate list without a lock, and are removed first. To keep the order of the packets, {@code addByOwner} may be
 * called only while the queue contains no packet of another thread.
 */
public final class PacketQueue {
    /**
     * The maximum number of queued packets that {@link #add} has added. The capacity of a packet queue is several times the
     * number of packets that a peer may have in flight, because duplicates also need room.
     */
    private static final int CAPACITY = 1024;

    private @Nullable SimPacket head;
    private @Nullable SimPacket tail;
    private volatile int count;
    private boolean closed;

    // Only the thread that owns the queue's task accesses ownerHead and ownerTail.
    private @Nullable SimPacket ownerHead;
    private @Nullable SimPacket ownerTail;

    public PacketQueue() {}

    /**
     * Adds a packet, which this packet queue owns from then on. If this packet queue is full or closed, returns the
     * packet to its pool and returns false.
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

    public boolean isEmpty() {
        return ownerHead == null && count == 0;
    }

    /**
     * Adds a packet without a lock. Only the thread that owns the queue's task may call {@code addByOwner}, and only while
     * no packet of another thread is queued ({@link #isSharedEmpty()}).
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

    /** Splits a {@link SimPacket} that represents several packets. The calling thread must own the receive task. */
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

    /** Returns whether the queue contains no packet that another thread has added. */
    public boolean isSharedEmpty() {
        return count == 0;
    }

    /**
     * Returns whether the queue contains a packet that {@link #addByOwner} has added. Only the thread that owns the queue's
     * task may call this method.
     */
    public boolean hasOwnerPackets() {
        return ownerHead != null;
    }

    /**
     * Removes the oldest packet and returns it, or null if the queue is empty. Only the thread that owns the queue's task
     * may call this method.
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

    void discard(QpOutput out) {
        for (SimPacket packet = poll(); packet != null; packet = poll()) {
            out.count(Counter.DROPPED_FAILED_QP);
            packet.release();
        }
    }

    public void drain() {
        for (SimPacket packet = poll(); packet != null; packet = poll()) {
            packet.release();
        }
    }

    /** Closes the queue, which then accepts no packets, and gives the queued packets back to their pool. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        drain();
    }
}
