package dev.verbena.sim.queue;

/** A ring of work queue entries. There is one producer at a time, which may be by the ring's own lock, and one consumer. */
public final class WorkQueue extends Ring {
    private static final int CACHE_LINE = 64;

    /**
     * Makes an empty queue.
     *
     * @param entries how many entries it must hold
     * @param entrySize bytes of an entry; slots are whole cache lines
     */
    public WorkQueue(int entries, int entrySize) {
        super(maskOf(entries), Math.ceilDiv(entrySize, CACHE_LINE) * CACHE_LINE);
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
        producerSlots().copyFrom(source, sourceOffset + skip, producerOffset() + skip, length);
    }

    /**
     * Makes memory for {@link #resize}.
     *
     * @param entries how many entries it is to hold
     * @return zeroed memory
     */
    Slots newSlotsFor(int entries) {
        return newSlots(maskOf(entries));
    }

    /**
     * Changes the depth; the entries stay. Neither side may be active.
     *
     * @param entries how many entries it must hold, at least those that it has
     * @param to what {@link #newSlotsFor} made
     */
    void resize(int entries, Slots to) {
        move(to, maskOf(entries));
    }
}
