package dev.verbena.sim.queue;

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

    private static final int LENGTH = 0;
    private static final int RESID = 4;
    private static final int CURRENT = 8;
    private static final int COUNT = 12;
    private static final int ENTRY_OFFSET = 16;
    private static final int SGE_ADDRESS = 0;
    private static final int SGE_LENGTH = 8;
    private static final int SGE_LKEY = 12;

    private Slots slots = Slots.NONE;
    private long state;
    private long entries;

    /** Creates a flyweight that points nowhere yet. */
    public ScatterList() {}

    /**
     * Points the flyweight at an entry.
     *
     * @param memory the slots
     * @param stateOffset where the counters are
     * @param entriesOffset where the scatter-gather entries are
     * @return this
     */
    @SuppressWarnings("ReferenceEquality") // A store has a barrier.
    public ScatterList wrap(Slots memory, long stateOffset, long entriesOffset) {
        if (slots != memory) {
            slots = memory;
        }
        state = stateOffset;
        entries = entriesOffset;
        return this;
    }

    /**
     * Tells how long the entries of a list are, without a flyweight.
     *
     * @param memory the slots
     * @param stateOffset where the counters are
     * @return bytes
     */
    static long entriesLength(Slots memory, long stateOffset) {
        return (long) memory.getInt(stateOffset + COUNT) * ENTRY_LENGTH;
    }

    static int length(Slots memory, long stateOffset) {
        return memory.getInt(stateOffset + LENGTH);
    }

    /** Whether the first entry of a list that was not begun is all of it. */
    static boolean isOneEntry(Slots memory, long stateOffset, long entriesOffset) {
        return memory.getInt(stateOffset + COUNT) == 1
                && memory.getInt(entriesOffset + SGE_LENGTH) == length(memory, stateOffset);
    }

    /** Where the first entry begins. */
    static long address(Slots memory, long entriesOffset) {
        return memory.getLong(entriesOffset + SGE_ADDRESS);
    }

    /** The key of the first entry. */
    static int key(Slots memory, long entriesOffset) {
        return memory.getInt(entriesOffset + SGE_LKEY);
    }

    /** Makes the list empty. */
    public void clear() {
        slots.setInt(state + LENGTH, 0);
        slots.setInt(state + COUNT, 0);
        rewind();
    }

    /** Starts at the first byte again. */
    public void rewind() {
        slots.setInt(state + RESID, length());
        slots.setInt(state + CURRENT, 0);
        slots.setInt(state + ENTRY_OFFSET, 0);
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
        slots.setLong(at + SGE_ADDRESS, address);
        slots.setInt(at + SGE_LENGTH, length);
        slots.setInt(at + SGE_LKEY, lkey);
        slots.setInt(state + COUNT, index + 1);
        slots.setInt(state + LENGTH, length() + length);
        slots.setInt(state + RESID, length());
    }

    /**
     * Says how long the buffer is when its bytes are not described by entries (inline data).
     *
     * @param length the bytes
     */
    public void inlineLength(int length) {
        slots.setInt(state + COUNT, 0);
        slots.setInt(state + LENGTH, length);
        rewind();
    }

    /**
     * Returns the total.
     *
     * @return bytes of all entries, unsigned
     */
    public int length() {
        return slots.getInt(state + LENGTH);
    }

    /**
     * Returns what is left.
     *
     * @return bytes not yet used, unsigned
     */
    public int remaining() {
        return slots.getInt(state + RESID);
    }

    /**
     * Counts the entries.
     *
     * @return number of entries
     */
    public int count() {
        return slots.getInt(state + COUNT);
    }

    /**
     * Returns where the present entry goes on.
     *
     * @return an iova
     */
    public long currentAddress() {
        return slots.getLong(current() + SGE_ADDRESS) + Integer.toUnsignedLong(slots.getInt(state + ENTRY_OFFSET));
    }

    /**
     * Returns what is left of the present entry.
     *
     * @return bytes, unsigned; 0 for an empty entry
     */
    public int currentRemaining() {
        return slots.getInt(current() + SGE_LENGTH) - slots.getInt(state + ENTRY_OFFSET);
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
        return slots.getInt(current() + SGE_LKEY);
    }

    /**
     * Uses bytes of the present entry, and goes to the next one when it is used up.
     *
     * @param bytes 0 to {@link #currentRemaining()}
     */
    public void advance(int bytes) {
        slots.setInt(state + RESID, remaining() - bytes);
        int used = slots.getInt(state + ENTRY_OFFSET) + bytes;
        if (used == slots.getInt(current() + SGE_LENGTH)) {
            slots.setInt(state + CURRENT, slots.getInt(state + CURRENT) + 1);
            used = 0;
        }
        slots.setInt(state + ENTRY_OFFSET, used);
    }

    /**
     * Uses bytes that are not described by entries.
     *
     * @param bytes 0 to {@link #remaining()}
     */
    public void advanceInline(int bytes) {
        slots.setInt(state + RESID, remaining() - bytes);
    }

    private long current() {
        return entries + (long) slots.getInt(state + CURRENT) * ENTRY_LENGTH;
    }

    @Override
    public String toString() {
        return remaining() + " of " + length() + " bytes left in " + count() + " entries";
    }
}
