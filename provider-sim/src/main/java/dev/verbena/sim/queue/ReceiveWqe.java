// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * A receive work queue entry: the fields of {@code struct rxe_recv_wqe}, ordered so that a request with one scatter-gather entry
 * takes three quarters of a cache line.
 *
 * <pre>
 *  0 wr_id 8     8 scatter list 8     16 its cursor 12     28 checked 1     32 entries
 * </pre>
 *
 * At 28 the poster records that it can post the request again without checks.
 */
public final class ReceiveWqe {
    /** Bytes before the entries. */
    public static final int HEADER_LENGTH = 32;

    private static final int WR_ID = 0;
    private static final int SCATTER = 8;
    private static final int CHECKED = 28;

    private final ScatterList scatter = new ScatterList();
    private Slots slots = Slots.NONE;
    private long at;

    /** Creates a flyweight that points nowhere yet. */
    public ReceiveWqe() {}

    /**
     * Points the flyweight at an entry.
     *
     * @param memory the slots
     * @param offset the entry's offset
     * @return this
     */
    @SuppressWarnings("ReferenceEquality") // A reference store costs a card mark.
    public ReceiveWqe wrap(Slots memory, long offset) {
        if (slots != memory) {
            slots = memory;
        }
        at = offset;
        scatter.wrap(memory, offset + SCATTER, offset + HEADER_LENGTH);
        return this;
    }

    /**
     * Returns the buffer.
     *
     * @return the flyweight of the scatter-gather list
     */
    public ScatterList scatter() {
        return scatter;
    }

    /**
     * Returns the poster's id.
     *
     * @return the work request id
     */
    public long workRequestId() {
        return workRequestId(slots, at);
    }

    /**
     * Returns the poster's id of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return the work request id
     */
    public static long workRequestId(Slots memory, long offset) {
        return memory.getLong(offset + WR_ID);
    }

    /**
     * Sets the poster's id.
     *
     * @param value the work request id
     */
    public void workRequestId(long value) {
        slots.setLong(at + WR_ID, value);
    }

    /**
     * Sets whether the poster has checked the request, so that it can be posted without further checks.
     *
     * @param value false after a change that the poster must check
     */
    public void checked(boolean value) {
        slots.setByte(at + CHECKED, (byte) (value ? 1 : 0));
    }

    /**
     * Returns whether a request {@linkplain #checked was checked}, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return true if the poster only has to copy the request
     */
    public static boolean isChecked(Slots memory, long offset) {
        return memory.getByte(offset + CHECKED) != 0;
    }

    /**
     * Returns the length of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return bytes
     */
    public static long lengthOf(Slots memory, long offset) {
        return HEADER_LENGTH + ScatterList.entriesLength(memory, offset + SCATTER);
    }

    /**
     * Returns the length of the first scatter-gather entry of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return bytes, unsigned; 0 without an entry
     */
    public static int entryLength(Slots memory, long offset) {
        return ScatterList.firstLength(memory, offset + SCATTER, offset + HEADER_LENGTH);
    }

    /**
     * Returns the address of the first scatter-gather entry of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return an iova
     */
    public static long entryAddress(Slots memory, long offset) {
        return ScatterList.address(memory, offset + HEADER_LENGTH);
    }

    /**
     * Returns the key of the first scatter-gather entry of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return its lkey
     */
    public static int entryKey(Slots memory, long offset) {
        return ScatterList.key(memory, offset + HEADER_LENGTH);
    }

    @Override
    public String toString() {
        return "RECV id " + workRequestId() + ", " + scatter;
    }
}
