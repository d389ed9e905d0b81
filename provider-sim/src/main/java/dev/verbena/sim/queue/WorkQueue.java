package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.ShortLock;

/**
 * A ring of work queue entries of one size: rxe_queue with its buffer.
 *
 * <p>Producers hold the queue's {@linkplain #posting() lock}; there is one consumer.
 */
public final class WorkQueue {
    private static final int CACHE_LINE = 64;

    private final ShortLock posting = new ShortLock();
    private final Ring ring;
    private final int slotSize;
    private final Slots slots;

    /**
     * Makes an empty queue.
     *
     * @param entries how many entries it must hold
     * @param entrySize bytes of an entry; slots are whole cache lines
     */
    public WorkQueue(int entries, int entrySize) {
        ring = new Ring(entries);
        slotSize = Math.ceilDiv(entrySize, CACHE_LINE) * CACHE_LINE;
        slots = Slots.of(ring.capacity() + 1, slotSize);
    }

    /**
     * Returns what producers hold.
     *
     * @return the lock
     */
    public ShortLock posting() {
        return posting;
    }

    /**
     * Returns the indices.
     *
     * @return the ring
     */
    public Ring ring() {
        return ring;
    }

    /**
     * Returns the memory of all slots.
     *
     * @return memory of (capacity + 1) slots
     */
    public Slots slots() {
        return slots;
    }

    /**
     * Returns where a slot begins.
     *
     * @param index a slot
     * @return its offset in {@link #slots()}
     */
    public long offset(int index) {
        return (long) index * slotSize;
    }

    /**
     * Copies an entry into the producer's slot, without publishing it. The caller is the one producer and has checked for room.
     *
     * @param source where the entry is
     * @param sourceOffset its offset there
     * @param length its bytes
     */
    public void fill(Slots source, long sourceOffset, long length) {
        fill(source, sourceOffset, 0, length);
    }

    /**
     * Copies what is behind the first bytes of an entry, as {@link #fill(Slots, long, long)} does.
     *
     * @param source where the entry is
     * @param sourceOffset its offset there
     * @param skip how many bytes of either are left out
     * @param length how many are copied
     */
    public void fill(Slots source, long sourceOffset, int skip, long length) {
        slots.copyFrom(source, sourceOffset + skip, offset(ring.producer()) + skip, length);
    }

    /**
     * Moves all entries to another queue, in order. Neither side of either queue may be active.
     *
     * @param other an empty queue for entries of the same size, with room for those of this one
     */
    public void moveTo(WorkQueue other) {
        for (; !ring.isEmpty(); ring.consume()) {
            other.fill(slots, offset(ring.consumer()), slotSize);
            other.ring.produce();
        }
    }
}
