// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/** A ring of work queue entries, with one producer at a time, which the ring's lock may ensure, and one consumer. */
public final class WorkQueue extends Ring {
    private static final int CACHE_LINE = 64;

    /**
     * Makes an empty queue.
     *
     * @param entries the number of entries that must fit
     * @param entrySize the bytes of an entry; slots are whole cache lines
     */
    public WorkQueue(int entries, int entrySize) {
        super(maskOf(entries), Math.ceilDiv(entrySize, CACHE_LINE) * CACHE_LINE);
    }

    /**
     * Copies an entry into the producer's slot, without publishing it. The caller is the only producer and has checked
     * for room.
     *
     * @param source the slots with the entry
     * @param sourceOffset its offset there
     * @param length its bytes
     */
    public void fill(Slots source, long sourceOffset, long length) {
        fill(source, sourceOffset, 0, length);
    }

    /**
     * Copies an entry except for its first bytes, as {@link #fill(Slots, long, long)} does.
     *
     * @param source the slots with the entry
     * @param sourceOffset its offset there
     * @param skip the number of bytes skipped in both
     * @param length the number of bytes copied
     */
    public void fill(Slots source, long sourceOffset, int skip, long length) {
        producerSlots().copyFrom(source, sourceOffset + skip, producerOffset() + skip, length);
    }

    /**
     * Makes memory for {@link #resize}.
     *
     * @param entries the number of entries that must fit
     * @return zeroed memory
     */
    Slots newSlotsFor(int entries) {
        return newSlots(maskOf(entries));
    }

    /**
     * Changes the depth. The entries stay. Neither side may be active.
     *
     * @param entries the number of entries that must fit, at least those present
     * @param to memory made by {@link #newSlotsFor}
     */
    void resize(int entries, Slots to) {
        move(to, maskOf(entries));
    }
}
