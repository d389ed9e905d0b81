package dev.verbena.sim.queue;

import java.lang.foreign.MemorySegment;

/**
 * A ring of work queue entries of one size: rxe_queue with its buffer. Slots live on the heap, as no device reads them.
 *
 * <p>Producers hold the queue's monitor; there is one consumer.
 */
public final class WorkQueue {
    private static final int CACHE_LINE = 64;

    private final Ring ring;
    private final int slotSize;
    private final MemorySegment slots;

    /**
     * Makes an empty queue.
     *
     * @param entries how many entries it must hold
     * @param entrySize bytes of an entry; slots are whole cache lines
     */
    public WorkQueue(int entries, int entrySize) {
        ring = new Ring(entries);
        slotSize = Math.ceilDiv(entrySize, CACHE_LINE) * CACHE_LINE;
        slots = newSlots(ring.capacity() + 1, slotSize);
    }

    /**
     * Makes the memory for entries, of a queue or of a batch that will be posted.
     *
     * @param count how many entries
     * @param slotSize bytes of one, a multiple of 8
     * @return zeroed memory
     */
    public static MemorySegment newSlots(int count, int slotSize) {
        return MemorySegment.ofArray(new long[Math.multiplyExact(count, slotSize / Long.BYTES)]);
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
     * @return a segment of (capacity + 1) slots
     */
    public MemorySegment slots() {
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
     * Copies an entry into the producer's slot, without publishing it. The caller holds the monitor and has checked for room.
     *
     * @param source where the entry is
     * @param sourceOffset its offset there
     * @param length its bytes
     */
    public void fill(MemorySegment source, long sourceOffset, long length) {
        MemorySegment.copy(source, sourceOffset, slots, offset(ring.producer()), length);
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
