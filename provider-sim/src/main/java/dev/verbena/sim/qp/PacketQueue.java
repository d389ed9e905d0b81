package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import org.jspecify.annotations.Nullable;

/**
 * Packets that wait for an engine, linked through themselves. Any thread adds, one takes. A peer that sends more than the
 * windows of the transport allow fills it, and no more than it.
 *
 * <p>What is added in the thread that runs the engine takes no lock: it is kept apart and taken first, and so it may only be
 * added when nothing waits that others have added.
 */
public final class PacketQueue {
    /** Several times what a peer may have under way, for the sake of repetitions. */
    private static final int CAPACITY = 1024;

    private @Nullable SimPacket head;
    private @Nullable SimPacket tail;
    private volatile int count;
    private boolean closed;

    // Belong to whoever runs the engine.
    private @Nullable SimPacket insideHead;
    private @Nullable SimPacket insideTail;
    private boolean expectsInside;

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
     * Tells whether nothing waits, nor is known to follow; to be asked by the one that runs the engine.
     *
     * @return true if there is no packet
     */
    public boolean isEmpty() {
        return insideHead == null && count == 0 && !expectsInside;
    }

    /**
     * Says whether packets, or the end of them, will follow in the run that is under way; as the one that runs the engine.
     *
     * @param follow true until the end
     */
    void expectInside(boolean follow) {
        expectsInside = follow;
    }

    /**
     * Adds a packet as the one that runs the engine, when it {@link #isEmptyOutside()}.
     *
     * @param packet the packet, which belongs to the queue
     */
    public void addInside(SimPacket packet) {
        packet.next(null);
        SimPacket last = insideTail;
        if (last == null) {
            insideHead = packet;
        } else {
            last.next(packet);
        }
        insideTail = packet;
    }

    /**
     * Takes a train apart: what it stands for is what will be taken next. As the one that runs the engine.
     *
     * @param train a train that was polled; it is given back
     */
    void takeApart(SimPacket train) {
        SimPacket last = train.apart(insideHead);
        insideHead = last;
        if (insideTail == null) {
            for (SimPacket next = last.next(); next != null; next = next.next()) {
                last = next;
            }
            insideTail = last;
        }
    }

    /**
     * Tells whether nothing waits that others have added.
     *
     * @return true if there is nothing
     */
    public boolean isEmptyOutside() {
        return count == 0;
    }

    /**
     * Tells whether something waits that {@link #addInside} has added; to be asked by the one that runs the engine.
     *
     * @return true if there is
     */
    public boolean hasInside() {
        return insideHead != null;
    }

    /**
     * Takes the oldest packet, as the one that runs the engine.
     *
     * @return a packet that belongs to the caller, or null
     */
    public @Nullable SimPacket poll() {
        SimPacket first = insideHead;
        if (first != null) {
            insideHead = first.next();
            if (insideHead == null) {
                insideTail = null;
            }
            return first;
        }
        return count == 0 ? null : pollOutside();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // Written under the lock.
    private synchronized @Nullable SimPacket pollOutside() {
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
