package dev.verbena.sim.queue;

/**
 * A receive work queue entry: what {@code struct rxe_recv_wqe} has, in an order in which one with one entry needs three quarters of a
 * cache line.
 *
 * <pre>
 *  0 wr_id 8     8 scatter list 8     16 its cursor 12     28 checked 1     32 entries
 * </pre>
 *
 * The poster notes at 28 that a request may be posted again as it is.
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
     * @param offset where the entry begins
     * @return this
     */
    @SuppressWarnings("ReferenceEquality") // A store has a barrier.
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
     * @param memory where it is
     * @param offset where it begins there
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
     * Says whether the poster has found that the request can be posted as it is.
     *
     * @param value false when something is changed that the poster would have to look at
     */
    public void checked(boolean value) {
        slots.setByte(at + CHECKED, (byte) (value ? 1 : 0));
    }

    /**
     * Tells whether a request {@linkplain #checked was checked}, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return true if it has only to be copied
     */
    public static boolean isChecked(Slots memory, long offset) {
        return memory.getByte(offset + CHECKED) != 0;
    }

    /**
     * Tells how long a request is, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return bytes
     */
    public static long lengthOf(Slots memory, long offset) {
        return HEADER_LENGTH + ScatterList.entriesLength(memory, offset + SCATTER);
    }

    /**
     * Tells how many bytes the first entry of a request has, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return that many, unsigned; 0 if there is no entry
     */
    public static int entryLength(Slots memory, long offset) {
        return ScatterList.firstLength(memory, offset + SCATTER, offset + HEADER_LENGTH);
    }

    /**
     * Returns where the first entry of a request begins, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return an address
     */
    public static long entryAddress(Slots memory, long offset) {
        return ScatterList.address(memory, offset + HEADER_LENGTH);
    }

    /**
     * Returns the key of the first entry of a request, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
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
