package dev.verbena.sim.queue;

/**
 * A receive work queue entry, in the places of {@code struct rxe_recv_wqe}.
 *
 * <pre>
 *  0 wr_id 8     16 scatter list and cursor 20     40 entries
 * </pre>
 */
public final class ReceiveWqe {
    /** Bytes before the entries. */
    public static final int HEADER_LENGTH = 40;

    private static final int WR_ID = 0;
    private static final int SCATTER = 16;

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
    public ReceiveWqe wrap(Slots memory, long offset) {
        slots = memory;
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
        return slots.getLong(at + WR_ID);
    }

    /**
     * Sets the poster's id.
     *
     * @param value the work request id
     */
    public void workRequestId(long value) {
        slots.setLong(at + WR_ID, value);
    }

    @Override
    public String toString() {
        return "RECEIVE id " + workRequestId() + ", " + scatter;
    }
}
