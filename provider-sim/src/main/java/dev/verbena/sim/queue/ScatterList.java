package dev.verbena.sim.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The local buffer of a work queue entry and how far it was used: {@code rxe_dma_info} (24 bytes) followed elsewhere in the
 * entry by its scatter-gather entries of 16 bytes.
 *
 * <pre>
 *  0 length      total bytes            16 entry offset   bytes used of the present entry
 *  4 resid       bytes not yet used     20 reserved
 *  8 current     entry in use
 * 12 count       number of entries
 * </pre>
 *
 * Native byte order, as everything that never leaves the machine. Lengths are unsigned: a message may have 2^31 bytes.
 */
public final class ScatterList {
    /** Bytes of the counters. */
    public static final int STATE_LENGTH = 24;
    /** Bytes of one scatter-gather entry. */
    public static final int ENTRY_LENGTH = 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int LENGTH = 0;
    private static final int RESID = 4;
    private static final int CURRENT = 8;
    private static final int COUNT = 12;
    private static final int ENTRY_OFFSET = 16;
    private static final int SGE_ADDRESS = 0;
    private static final int SGE_LENGTH = 8;
    private static final int SGE_LKEY = 12;

    private MemorySegment slots = MemorySegment.NULL;
    private long state;
    private long entries;

    /** Creates a flyweight that points nowhere yet. */
    public ScatterList() {}

    /**
     * Points the flyweight at an entry.
     *
     * @param segment the slots
     * @param stateOffset where the counters are
     * @param entriesOffset where the scatter-gather entries are
     * @return this
     */
    public ScatterList wrap(MemorySegment segment, long stateOffset, long entriesOffset) {
        slots = segment;
        state = stateOffset;
        entries = entriesOffset;
        return this;
    }

    /** Makes the list empty. */
    public void clear() {
        slots.set(INT, state + LENGTH, 0);
        slots.set(INT, state + COUNT, 0);
        rewind();
    }

    /** Starts at the first byte again. */
    public void rewind() {
        slots.set(INT, state + RESID, length());
        slots.set(INT, state + CURRENT, 0);
        slots.set(INT, state + ENTRY_OFFSET, 0);
    }

    /**
     * Adds an entry.
     *
     * @param address the iova of its first byte
     * @param length its bytes, unsigned
     * @param lkey the local key
     */
    public void add(long address, int length, int lkey) {
        int index = count();
        long at = entries + (long) index * ENTRY_LENGTH;
        slots.set(LONG, at + SGE_ADDRESS, address);
        slots.set(INT, at + SGE_LENGTH, length);
        slots.set(INT, at + SGE_LKEY, lkey);
        slots.set(INT, state + COUNT, index + 1);
        slots.set(INT, state + LENGTH, length() + length);
        slots.set(INT, state + RESID, length());
    }

    /**
     * Says how long the buffer is when its bytes are not described by entries (inline data).
     *
     * @param length the bytes
     */
    public void inlineLength(int length) {
        slots.set(INT, state + COUNT, 0);
        slots.set(INT, state + LENGTH, length);
        rewind();
    }

    /**
     * Returns the total.
     *
     * @return bytes of all entries, unsigned
     */
    public int length() {
        return slots.get(INT, state + LENGTH);
    }

    /**
     * Returns what is left.
     *
     * @return bytes not yet used, unsigned
     */
    public int remaining() {
        return slots.get(INT, state + RESID);
    }

    /**
     * Counts the entries.
     *
     * @return number of entries
     */
    public int count() {
        return slots.get(INT, state + COUNT);
    }

    /**
     * Returns where the present entry goes on.
     *
     * @return an iova
     */
    public long currentAddress() {
        return slots.get(LONG, current() + SGE_ADDRESS) + Integer.toUnsignedLong(slots.get(INT, state + ENTRY_OFFSET));
    }

    /**
     * Returns what is left of the present entry.
     *
     * @return bytes, unsigned; 0 for an empty entry
     */
    public int currentRemaining() {
        return slots.get(INT, current() + SGE_LENGTH) - slots.get(INT, state + ENTRY_OFFSET);
    }

    /**
     * Returns how many bytes the present entry has for a copy.
     *
     * @param wanted the bytes to copy, at least 0
     * @return that many, or what is left of the entry if it is less
     */
    public int step(int wanted) {
        int left = currentRemaining();
        return Integer.compareUnsigned(wanted, left) < 0 ? wanted : left;
    }

    /**
     * Returns the key of the present entry.
     *
     * @return the lkey
     */
    public int currentKey() {
        return slots.get(INT, current() + SGE_LKEY);
    }

    /**
     * Uses bytes of the present entry, and goes to the next one when it is used up.
     *
     * @param bytes 0 to {@link #currentRemaining()}
     */
    public void advance(int bytes) {
        slots.set(INT, state + RESID, remaining() - bytes);
        int used = slots.get(INT, state + ENTRY_OFFSET) + bytes;
        if (used == slots.get(INT, current() + SGE_LENGTH)) {
            slots.set(INT, state + CURRENT, slots.get(INT, state + CURRENT) + 1);
            used = 0;
        }
        slots.set(INT, state + ENTRY_OFFSET, used);
    }

    /**
     * Uses bytes that are not described by entries.
     *
     * @param bytes 0 to {@link #remaining()}
     */
    public void advanceInline(int bytes) {
        slots.set(INT, state + RESID, remaining() - bytes);
    }

    private long current() {
        return entries + (long) slots.get(INT, state + CURRENT) * ENTRY_LENGTH;
    }

    @Override
    public String toString() {
        return remaining() + " of " + length() + " bytes left in " + count() + " entries";
    }
}
