// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * A receive work queue entry: the fields of {@code struct rxe_recv_wqe}, ordered so that a request with one scatter/gather
 * entry takes three quarters of a cache line.
 *
 * <pre>
 *  0 wr_id 8     8 scatter list 8     16 its cursor 12     28 checked 1     32 entries
 * </pre>
 *
 * When a receive request has passed the checks of a post, the posting thread sets the byte at offset 28 of the request. If
 * byte 28 is set, later posts of the receive request skip the checks.
 */
public final class ReceiveWqe {
    public static final int HEADER_LENGTH = 32;

    private static final int WR_ID = 0;
    private static final int SCATTER = 8;
    private static final int CHECKED = 28;

    private final ScatterList scatter = new ScatterList();
    private Slots slots = Slots.NONE;
    private long at;

    /** Creates a flyweight that reads and writes a receive WQE. Call {@link #wrap} before any other method. */
    public ReceiveWqe() {}

    @SuppressWarnings("ReferenceEquality") // Storing an unchanged reference would still write to the GC's card table.
    public ReceiveWqe wrap(Slots memory, long offset) {
        if (slots != memory) {
            slots = memory;
        }
        at = offset;
        scatter.wrap(memory, offset + SCATTER, offset + HEADER_LENGTH);
        return this;
    }

    public ScatterList scatter() {
        return scatter;
    }

    public long workRequestId() {
        return workRequestId(slots, at);
    }

    public static long workRequestId(Slots memory, long offset) {
        return memory.getLong(offset + WR_ID);
    }

    public void workRequestId(long value) {
        slots.setLong(at + WR_ID, value);
    }

    /** Sets whether the receive request has passed the checks of a post, so that later posts skip the checks. */
    public void checked(boolean value) {
        slots.setByte(at + CHECKED, (byte) (value ? 1 : 0));
    }

    public static boolean isChecked(Slots memory, long offset) {
        return memory.getByte(offset + CHECKED) != 0;
    }

    public static long lengthOf(Slots memory, long offset) {
        return HEADER_LENGTH + ScatterList.entriesLength(memory, offset + SCATTER);
    }

    public static int entryLength(Slots memory, long offset) {
        return ScatterList.firstLength(memory, offset + SCATTER, offset + HEADER_LENGTH);
    }

    public static long entryAddress(Slots memory, long offset) {
        return ScatterList.address(memory, offset + HEADER_LENGTH);
    }

    public static int entryKey(Slots memory, long offset) {
        return ScatterList.key(memory, offset + HEADER_LENGTH);
    }

    @Override
    public String toString() {
        return "RECV id " + workRequestId() + ", " + scatter;
    }
}
