// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * The local buffer of a work queue entry and the progress in it: {@code rxe_dma_info} in two parts. The scatter-gather entries,
 * of 16 bytes each, are elsewhere in the work queue entry. The poster writes the list. The engine owns the cursor, and
 * {@linkplain #rewind rewinds} it first.
 *
 * <pre>
 * list     0 length   total bytes          4 count     number of entries
 * cursor   0 resid    bytes not yet used   4 current   entry in use         8 entry offset   bytes used of that
 * </pre>
 *
 * Native byte order, because no byte of it leaves the machine. Lengths are unsigned: a message may have 2^31 bytes.
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
     * Points the flyweight at an entry with the cursor directly after the list.
     *
     * @param memory the slots
     * @param listOffset the offset of the list
     * @param entriesOffset the offset of the scatter-gather entries
     * @return this
     */
    public ScatterList wrap(Slots memory, long listOffset, long entriesOffset) {
        return wrap(memory, listOffset, listOffset + LIST_LENGTH, entriesOffset);
    }

    /**
     * Points the flyweight at an entry.
     *
     * @param memory the slots
     * @param listOffset the offset of the list
     * @param cursorOffset the offset of the cursor
     * @param entriesOffset the offset of the scatter-gather entries
     * @return this
     */
    @SuppressWarnings("ReferenceEquality") // A reference store costs a card mark.
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
     * Returns the length of the scatter-gather entries themselves, without a flyweight.
     *
     * @param memory the slots
     * @param listOffset the offset of the list
     * @return bytes
     */
    static long entriesLength(Slots memory, long listOffset) {
        return (long) memory.getInt(listOffset + COUNT) * ENTRY_LENGTH;
    }

    static int length(Slots memory, long listOffset) {
        return memory.getInt(listOffset + LENGTH);
    }

    /** Returns whether the list has one entry, which covers its whole length. */
    static boolean isOneEntry(Slots memory, long listOffset, long entriesOffset) {
        return memory.getInt(listOffset + COUNT) == 1
                && memory.getInt(entriesOffset + SGE_LENGTH) == length(memory, listOffset);
    }

    /** Returns the length of the first entry; 0 if there is none. */
    static int firstLength(Slots memory, long listOffset, long entriesOffset) {
        return memory.getInt(listOffset + COUNT) == 0 ? 0 : memory.getInt(entriesOffset + SGE_LENGTH);
    }

    /** Sets a cursor to the first byte. */
    static void rewind(Slots memory, long listOffset, long cursorOffset) {
        memory.setInt(cursorOffset + RESID, length(memory, listOffset));
        memory.setInt(cursorOffset + CURRENT, 0);
        memory.setInt(cursorOffset + ENTRY_OFFSET, 0);
    }

    /** Returns the address of the first entry. */
    static long address(Slots memory, long entriesOffset) {
        return memory.getLong(entriesOffset + SGE_ADDRESS);
    }

    /** Returns the key of the first entry. */
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

    /** Sets the cursor to the first byte. */
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
     * Sets the length of a buffer without scatter-gather entries (inline data).
     *
     * @param length the bytes
     */
    public void inlineLength(int length) {
        slots.setInt(list + COUNT, 0);
        slots.setInt(list + LENGTH, length);
    }

    /**
     * Returns the total length.
     *
     * @return bytes of all entries, unsigned
     */
    public int length() {
        return slots.getInt(list + LENGTH);
    }

    /**
     * Returns the length after the cursor.
     *
     * @return bytes not yet used, unsigned
     */
    public int remaining() {
        return slots.getInt(cursor + RESID);
    }

    /**
     * Returns the number of entries.
     *
     * @return at least 0
     */
    public int count() {
        return count(slots, list);
    }

    static int count(Slots memory, long listOffset) {
        return memory.getInt(listOffset + COUNT);
    }

    /**
     * Returns the address of an entry.
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
     * Returns the length of an entry.
     *
     * @param index 0 to {@link #count()} - 1
     * @return bytes, unsigned
     */
    public int length(int index) {
        return slots.getInt(entries + (long) index * ENTRY_LENGTH + SGE_LENGTH);
    }

    /**
     * Returns the address of the first unused byte of the current entry.
     *
     * @return an iova
     */
    public long currentAddress() {
        return slots.getLong(current() + SGE_ADDRESS) + Integer.toUnsignedLong(slots.getInt(cursor + ENTRY_OFFSET));
    }

    /**
     * Returns the unused length of the current entry.
     *
     * @return bytes, unsigned; 0 for an empty entry
     */
    public int currentRemaining() {
        return slots.getInt(current() + SGE_LENGTH) - slots.getInt(cursor + ENTRY_OFFSET);
    }

    /**
     * Returns the number of bytes that the current entry can contribute to a copy.
     *
     * @param wanted the number of bytes to copy, at least 0
     * @return the smaller of {@code wanted} and the unused length of the entry
     */
    public int step(int wanted) {
        int left = currentRemaining();
        return Integer.compareUnsigned(wanted, left) < 0 ? wanted : left;
    }

    /**
     * Returns the key of the current entry.
     *
     * @return the lkey
     */
    public int currentKey() {
        return slots.getInt(current() + SGE_LKEY);
    }

    /**
     * Advances the cursor in the current entry, and to the next entry at its end.
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
     * Advances the cursor in a buffer without scatter-gather entries.
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
