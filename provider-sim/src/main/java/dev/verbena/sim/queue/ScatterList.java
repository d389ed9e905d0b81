package dev.verbena.sim.queue;

/**
 * The local buffer of a work queue entry and how far it was used: {@code rxe_dma_info} in two parts, followed elsewhere in the
 * entry by its scatter-gather entries of 16 bytes. The poster says what the list is; the cursor is of who uses it, and is
 * {@linkplain #rewind rewound} first.
 *
 * <pre>
 * list     0 length   total bytes          4 count     number of entries
 * cursor   0 resid    bytes not yet used   4 current   entry in use         8 entry offset   bytes used of that
 * </pre>
 *
 * Native byte order, as everything that never leaves the machine. Lengths are unsigned: a message may have 2^31 bytes.
 */
public final class ScatterList {
    /** Bytes of one scatter-gather entry. */
    public static final int ENTRY_LENGTH = 16;

    private static final int LENGTH = 0;
    private static final int COUNT = 4;
    private static final int LIST_LENGTH = 8;
    private static final int RESID = 0;
    private static final int CURRENT = 4;
    private static final int ENTRY_OFFSET = 8;
    private static final int SGE_ADDRESS = 0;
    private static final int SGE_LENGTH = 8;
    private static final int SGE_LKEY = 12;

    private Slots slots = Slots.NONE;
    private long list;
    private long cursor;
    private long entries;

    /** Creates a flyweight that points nowhere yet. */
    public ScatterList() {}

    /**
     * Points the flyweight at an entry whose cursor is behind the list.
     *
     * @param memory the slots
     * @param listOffset where the list is
     * @param entriesOffset where the scatter-gather entries are
     * @return this
     */
    public ScatterList wrap(Slots memory, long listOffset, long entriesOffset) {
        return wrap(memory, listOffset, listOffset + LIST_LENGTH, entriesOffset);
    }

    /**
     * Points the flyweight at an entry.
     *
     * @param memory the slots
     * @param listOffset where the list is
     * @param cursorOffset where the cursor is
     * @param entriesOffset where the scatter-gather entries are
     * @return this
     */
    @SuppressWarnings("ReferenceEquality") // A store has a barrier.
    ScatterList wrap(Slots memory, long listOffset, long cursorOffset, long entriesOffset) {
        if (slots != memory) {
            slots = memory;
        }
        list = listOffset;
        cursor = cursorOffset;
        entries = entriesOffset;
        return this;
    }

    /**
     * Tells how long the entries of a list are, without a flyweight.
     *
     * @param memory the slots
     * @param listOffset where the list is
     * @return bytes
     */
    static long entriesLength(Slots memory, long listOffset) {
        return (long) memory.getInt(listOffset + COUNT) * ENTRY_LENGTH;
    }

    static int length(Slots memory, long listOffset) {
        return memory.getInt(listOffset + LENGTH);
    }

    /** Whether the first entry of a list is all of it. */
    static boolean isOneEntry(Slots memory, long listOffset, long entriesOffset) {
        return memory.getInt(listOffset + COUNT) == 1
                && memory.getInt(entriesOffset + SGE_LENGTH) == length(memory, listOffset);
    }

    /** How long the first entry of a list is; 0 if there is none. */
    static int firstLength(Slots memory, long listOffset, long entriesOffset) {
        return memory.getInt(listOffset + COUNT) == 0 ? 0 : memory.getInt(entriesOffset + SGE_LENGTH);
    }

    /** Sets a cursor to the first byte. */
    static void rewind(Slots memory, long listOffset, long cursorOffset) {
        memory.setInt(cursorOffset + RESID, length(memory, listOffset));
        memory.setInt(cursorOffset + CURRENT, 0);
        memory.setInt(cursorOffset + ENTRY_OFFSET, 0);
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
        clear(slots, list);
    }

    static void clear(Slots memory, long listOffset) {
        memory.setInt(listOffset + LENGTH, 0);
        memory.setInt(listOffset + COUNT, 0);
    }

    /** Starts at the first byte again. */
    public void rewind() {
        rewind(slots, list, cursor);
    }

    /**
     * Adds an entry.
     *
     * @param address the iova of its first byte
     * @param length its bytes, unsigned
     * @param lkey the local key
     */
    public void add(long address, int length, int lkey) {
        add(slots, list, entries, address, length, lkey);
    }

    static void add(Slots memory, long listOffset, long entriesOffset, long address, int length, int lkey) {
        int index = count(memory, listOffset);
        long at = entriesOffset + (long) index * ENTRY_LENGTH;
        memory.setLong(at + SGE_ADDRESS, address);
        memory.setInt(at + SGE_LENGTH, length);
        memory.setInt(at + SGE_LKEY, lkey);
        memory.setInt(listOffset + COUNT, index + 1);
        memory.setInt(listOffset + LENGTH, length(memory, listOffset) + length);
    }

    /**
     * Says how long the buffer is when its bytes are not described by entries (inline data).
     *
     * @param length the bytes
     */
    public void inlineLength(int length) {
        slots.setInt(list + COUNT, 0);
        slots.setInt(list + LENGTH, length);
    }

    /**
     * Returns the total.
     *
     * @return bytes of all entries, unsigned
     */
    public int length() {
        return slots.getInt(list + LENGTH);
    }

    /**
     * Returns what is left.
     *
     * @return bytes not yet used, unsigned
     */
    public int remaining() {
        return slots.getInt(cursor + RESID);
    }

    /**
     * Counts the entries.
     *
     * @return number of entries
     */
    public int count() {
        return count(slots, list);
    }

    static int count(Slots memory, long listOffset) {
        return memory.getInt(listOffset + COUNT);
    }

    /**
     * Returns where an entry begins.
     *
     * @param index 0 to {@link #count()} - 1
     * @return an iova
     */
    public long address(int index) {
        return address(slots, entries + (long) index * ENTRY_LENGTH);
    }

    /**
     * Returns the key of an entry.
     *
     * @param index 0 to {@link #count()} - 1
     * @return the local key
     */
    public int key(int index) {
        return key(slots, entries + (long) index * ENTRY_LENGTH);
    }

    /**
     * Returns how long an entry is.
     *
     * @param index 0 to {@link #count()} - 1
     * @return bytes, unsigned
     */
    public int length(int index) {
        return slots.getInt(entries + (long) index * ENTRY_LENGTH + SGE_LENGTH);
    }

    /**
     * Returns where the present entry goes on.
     *
     * @return an iova
     */
    public long currentAddress() {
        return slots.getLong(current() + SGE_ADDRESS) + Integer.toUnsignedLong(slots.getInt(cursor + ENTRY_OFFSET));
    }

    /**
     * Returns what is left of the present entry.
     *
     * @return bytes, unsigned; 0 for an empty entry
     */
    public int currentRemaining() {
        return slots.getInt(current() + SGE_LENGTH) - slots.getInt(cursor + ENTRY_OFFSET);
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
        slots.setInt(cursor + RESID, remaining() - bytes);
        int used = slots.getInt(cursor + ENTRY_OFFSET) + bytes;
        if (used == slots.getInt(current() + SGE_LENGTH)) {
            slots.setInt(cursor + CURRENT, slots.getInt(cursor + CURRENT) + 1);
            used = 0;
        }
        slots.setInt(cursor + ENTRY_OFFSET, used);
    }

    /**
     * Uses bytes that are not described by entries.
     *
     * @param bytes 0 to {@link #remaining()}
     */
    public void advanceInline(int bytes) {
        slots.setInt(cursor + RESID, remaining() - bytes);
    }

    private long current() {
        return entries + (long) slots.getInt(cursor + CURRENT) * ENTRY_LENGTH;
    }

    @Override
    public String toString() {
        return length() + " bytes in " + count() + " entries";
    }
}
