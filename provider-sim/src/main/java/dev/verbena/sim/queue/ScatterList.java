// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * The local buffer of a work queue entry, and how much of the buffer has been used, like {@code rxe_dma_info}. The thread
 * that posts the request writes {@code list} and the scatter/gather entries. The cursor is the current position in the
 * buffer. Only the code that executes the request uses the cursor. Call {@link #rewind} before using the cursor.
 *
 * <pre>
 * list     0 length   total bytes          4 count     number of entries
 * cursor   0 resid    bytes not yet used   4 current   entry in use         8 entry offset   bytes used of that
 * </pre>
 *
 * The byte order is native, because the SGE list of a WQE is never sent to another host. Lengths are unsigned, because a
 * message may have 2^31 bytes.
 */
public final class ScatterList {
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

    /** Creates a flyweight that reads and writes the SGE list of a WQE. Call {@code wrap} before any other method. */
    public ScatterList() {}

    public ScatterList wrap(Slots memory, long listOffset, long entriesOffset) {
        return wrap(memory, listOffset, listOffset + LIST_LENGTH, entriesOffset);
    }

    @SuppressWarnings("ReferenceEquality") // Storing an unchanged reference would still write to the GC's card table.
    ScatterList wrap(Slots memory, long listOffset, long cursorOffset, long entriesOffset) {
        if (slots != memory) {
            slots = memory;
        }
        list = listOffset;
        cursor = cursorOffset;
        entries = entriesOffset;
        return this;
    }

    static long entriesLength(Slots memory, long listOffset) {
        return (long) memory.getInt(listOffset + COUNT) * ENTRY_LENGTH;
    }

    static int length(Slots memory, long listOffset) {
        return memory.getInt(listOffset + LENGTH);
    }

    static boolean isOneEntry(Slots memory, long listOffset, long entriesOffset) {
        return memory.getInt(listOffset + COUNT) == 1
                && memory.getInt(entriesOffset + SGE_LENGTH) == length(memory, listOffset);
    }

    static int firstLength(Slots memory, long listOffset, long entriesOffset) {
        return memory.getInt(listOffset + COUNT) == 0 ? 0 : memory.getInt(entriesOffset + SGE_LENGTH);
    }

    static void rewind(Slots memory, long listOffset, long cursorOffset) {
        memory.setInt(cursorOffset + RESID, length(memory, listOffset));
        memory.setInt(cursorOffset + CURRENT, 0);
        memory.setInt(cursorOffset + ENTRY_OFFSET, 0);
    }

    static long address(Slots memory, long entriesOffset) {
        return memory.getLong(entriesOffset + SGE_ADDRESS);
    }

    static int key(Slots memory, long entriesOffset) {
        return memory.getInt(entriesOffset + SGE_LKEY);
    }

    public void clear() {
        clear(slots, list);
    }

    static void clear(Slots memory, long listOffset) {
        memory.setInt(listOffset + LENGTH, 0);
        memory.setInt(listOffset + COUNT, 0);
    }

    public void rewind() {
        rewind(slots, list, cursor);
    }

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

    /** Sets the length of inline data. A WQE with inline data has no scatter/gather entries. */
    public void inlineLength(int length) {
        slots.setInt(list + COUNT, 0);
        slots.setInt(list + LENGTH, length);
    }

    public int length() {
        return slots.getInt(list + LENGTH);
    }

    public int remaining() {
        return slots.getInt(cursor + RESID);
    }

    public int count() {
        return count(slots, list);
    }

    static int count(Slots memory, long listOffset) {
        return memory.getInt(listOffset + COUNT);
    }

    public long address(int index) {
        return address(slots, entries + (long) index * ENTRY_LENGTH);
    }

    public int key(int index) {
        return key(slots, entries + (long) index * ENTRY_LENGTH);
    }

    public int length(int index) {
        return slots.getInt(entries + (long) index * ENTRY_LENGTH + SGE_LENGTH);
    }

    public long currentAddress() {
        return slots.getLong(current() + SGE_ADDRESS) + Integer.toUnsignedLong(slots.getInt(cursor + ENTRY_OFFSET));
    }

    public int currentRemaining() {
        return slots.getInt(current() + SGE_LENGTH) - slots.getInt(cursor + ENTRY_OFFSET);
    }

    /** Returns the smaller of {@code wanted} and the unused length of the current scatter/gather entry. */
    public int step(int wanted) {
        int left = currentRemaining();
        return Integer.compareUnsigned(wanted, left) < 0 ? wanted : left;
    }

    public int currentKey() {
        return slots.getInt(current() + SGE_LKEY);
    }

    /**
     * Advances the cursor by at most {@link #currentRemaining()} bytes. At the end of a scatter/gather entry, the cursor moves
     * to the next scatter/gather entry.
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

    /** Advances the cursor (the position in the payload) in inline data, which has no scatter/gather entries. */
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
