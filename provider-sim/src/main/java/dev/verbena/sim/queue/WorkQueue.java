// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * A ring of work queue entries with one consumer and one producer at a time. If several threads post to the queue, a thread
 * that posts must hold the producers' lock.
 */
public final class WorkQueue extends Ring {
    private static final int CACHE_LINE = 64;

    /** Makes an empty queue. The size of an entry is rounded up to a multiple of a cache line. */
    public WorkQueue(int entries, int entrySize) {
        super(maskOf(entries), Math.ceilDiv(entrySize, CACHE_LINE) * CACHE_LINE);
    }

    /**
     * Copies a work queue entry into the producer's slot, without publishing the entry. The caller must be the only producer
     * and must have checked that a slot is free.
     */
    public void fill(Slots source, long sourceOffset, long length) {
        fill(source, sourceOffset, 0, length);
    }

    /**
     * Copies a work queue entry without its first {@code skip} bytes into the producer's slot, and does not publish the
     * entry. The caller must be the only producer and must have checked that a slot is free.
     *
     * @param length the number of bytes copied
     */
    public void fill(Slots source, long sourceOffset, int skip, long length) {
        producerSlots().copyFrom(source, sourceOffset + skip, producerOffset() + skip, length);
    }

    /** Allocates zeroed slots for {@link #resize}. */
    Slots newSlotsFor(int entries) {
        return newSlots(maskOf(entries));
    }

    /**
     * Changes the depth of the work queue. The new depth must be at least the number of WQEs in the work queue. The
     * WQEs stay in the work queue. Neither producer nor consumer may be active.
     */
    void resize(int entries, Slots to) {
        move(to, maskOf(entries));
    }
}
