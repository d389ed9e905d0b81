package dev.verbena.sim.queue;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * A send work queue entry: what {@code struct rxe_send_wqe} has, but laid out so that a request with one entry takes two
 * cache lines.
 *
 * <pre>
 *   0 wr_id            8   24 by operation       32   80 status     4   92 last PSN       4
 *  12 opcode           4   56 scatter list state 24   84 state      4   96 holds a credit 4
 *  16 send flags       4                              88 first PSN  4     100 checked        4
 *  20 immediate / rkey 4
 * 104 entries, or inline bytes; of a datagram the address, and these behind it at 192
 * </pre>
 *
 * The part from 80 to 100 is the engine's, the rest comes from the poster, who notes at 100 that a request may be posted again as
 * it is. Native byte order.
 */
public final class SendWqe extends SendOperands {
    private static final int WR_ID = 0;
    private static final int FLAGS = 16;
    private static final int IMMEDIATE = 20;
    private static final int STATUS = 80;
    private static final int STATE = 84;
    private static final int FIRST_PSN = 88;
    private static final int LAST_PSN = 92;
    private static final int CREDIT = 96;
    private static final int CHECKED = 100;
    private static final int SCATTER = 56;
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();

    private final ScatterList scatter = new ScatterList();
    private final boolean datagrams;

    /**
     * Creates a flyweight that points nowhere yet.
     *
     * @param type of the queue pair
     */
    public SendWqe(QpType type) {
        datagrams = type == QpType.UD;
    }

    /**
     * Tells how much is before the scatter-gather entries.
     *
     * @param type of the queue pair
     * @return bytes
     */
    public static int headerLength(QpType type) {
        return headerLength(type == QpType.UD);
    }

    /**
     * Tells how much is before the scatter-gather entries.
     *
     * @return bytes
     */
    public int headerLength() {
        return headerLength(datagrams);
    }

    private static int headerLength(boolean datagrams) {
        return datagrams ? ADDRESS + WqeAddress.LENGTH : ADDRESS;
    }

    /**
     * Points the flyweight at an entry.
     *
     * @param memory the slots
     * @param offset where the entry begins
     * @return this
     */
    public SendWqe wrap(Slots memory, long offset) {
        point(memory, offset);
        scatter.wrap(memory, offset + SCATTER, offset + headerLength());
        return this;
    }

    /**
     * Starts a new request: everything the poster may set is zero, no entries.
     *
     * @param opcode the operation
     */
    public void begin(SendOpcode opcode) {
        slots.setLong(at + WR_ID, 0);
        slots.setInt(at + OPCODE, opcode.ordinal());
        slots.setInt(at + FLAGS, 0);
        slots.setInt(at + IMMEDIATE, 0);
        checked(false);
        clearOperands();
        if (datagrams) {
            address().clear();
        }
        scatter.clear();
    }

    /**
     * Says whether the poster has found that the request can be posted as it is, with the engine's part as {@link #posted()} leaves
     * it.
     *
     * @param value false when something is changed that the poster would have to look at
     */
    public void checked(boolean value) {
        slots.setInt(at + CHECKED, value ? 1 : 0);
    }

    /**
     * Tells whether a request {@linkplain #checked was checked}, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return true if it has only to be copied
     */
    public static boolean isChecked(Slots memory, long offset) {
        return memory.getInt(offset + CHECKED) != 0;
    }

    /**
     * Tells whether a flag of a request is set, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @param flag the flag
     * @return true if it is
     */
    public static boolean has(Slots memory, long offset, SendFlag flag) {
        return (memory.getInt(offset + FLAGS) & flag.mask()) != 0;
    }

    /**
     * Tells how long a request of a connected queue pair is that does not carry its bytes, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return bytes
     */
    public static long lengthOf(Slots memory, long offset) {
        return ADDRESS + ScatterList.entriesLength(memory, offset + SCATTER);
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
     * Tells how many bytes the buffer of a request has, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return the length of the message
     */
    public static int length(Slots memory, long offset) {
        return ScatterList.length(memory, offset + SCATTER);
    }

    /**
     * Tells whether the first entry of a request of a connected queue pair is all of its buffer, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return false if there are more, or none
     */
    public static boolean isOneEntry(Slots memory, long offset) {
        return ScatterList.isOneEntry(memory, offset + SCATTER, offset + ADDRESS);
    }

    /**
     * Returns where the first entry of a request of a connected queue pair begins, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return an address
     */
    public static long entryAddress(Slots memory, long offset) {
        return ScatterList.address(memory, offset + ADDRESS);
    }

    /**
     * Returns the key of the first entry of a request of a connected queue pair, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return its lkey
     */
    public static int entryKey(Slots memory, long offset) {
        return ScatterList.key(memory, offset + ADDRESS);
    }

    /** Prepares the engine's part of a newly posted entry. */
    public void posted() {
        state(WqeState.POSTED);
        status(WorkCompletionStatus.SUCCESS);
        holdsCredit(false);
        scatter.rewind();
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
     * Returns where inline bytes are.
     *
     * @return an offset in the slots
     */
    public long inlineOffset() {
        return at + headerLength();
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
     * Sets the poster's id.
     *
     * @param value the work request id
     */
    public void workRequestId(long value) {
        slots.setLong(at + WR_ID, value);
    }

    /**
     * Tells whether a flag is set.
     *
     * @param flag the flag
     * @return true if it is
     */
    public boolean has(SendFlag flag) {
        return (slots.getInt(at + FLAGS) & flag.mask()) != 0;
    }

    /**
     * Sets a flag.
     *
     * @param flag the flag
     */
    public void set(SendFlag flag) {
        slots.setInt(at + FLAGS, slots.getInt(at + FLAGS) | flag.mask());
    }

    /**
     * Returns the immediate data, or the key to invalidate.
     *
     * @return 32 bits
     */
    public int immediate() {
        return slots.getInt(at + IMMEDIATE);
    }

    /**
     * Sets the immediate data, or the key to invalidate.
     *
     * @param value 32 bits
     */
    public void immediate(int value) {
        slots.setInt(at + IMMEDIATE, value);
    }

    /**
     * Tells whether the request counts against the depth of READs and atomics.
     *
     * @return true from its first packet until its completion
     */
    public boolean holdsCredit() {
        return slots.getInt(at + CREDIT) != 0;
    }

    /**
     * Says whether the request counts against the depth of READs and atomics.
     *
     * @param value true if it does
     */
    public void holdsCredit(boolean value) {
        slots.setInt(at + CREDIT, value ? 1 : 0);
    }

    /**
     * Returns how it ended.
     *
     * @return the status
     */
    public WorkCompletionStatus status() {
        return STATUSES[slots.getInt(at + STATUS)];
    }

    /**
     * Sets how it ended.
     *
     * @param value the status
     */
    public void status(WorkCompletionStatus value) {
        slots.setInt(at + STATUS, value.ordinal());
    }

    /**
     * Returns how far it has come.
     *
     * @return the state
     */
    public WqeState state() {
        return WqeState.of(slots.getInt(at + STATE));
    }

    /**
     * Sets how far it has come.
     *
     * @param value the state
     */
    public void state(WqeState value) {
        slots.setInt(at + STATE, value.ordinal());
    }

    /**
     * Returns the PSN of the first packet.
     *
     * @return 24 bits
     */
    public int firstPsn() {
        return slots.getInt(at + FIRST_PSN);
    }

    /**
     * Returns the PSN of the last packet.
     *
     * @return 24 bits
     */
    public int lastPsn() {
        return slots.getInt(at + LAST_PSN);
    }

    /**
     * Sets the PSNs of the packets.
     *
     * @param first of the first
     * @param last of the last
     */
    public void psns(int first, int last) {
        slots.setInt(at + FIRST_PSN, first);
        slots.setInt(at + LAST_PSN, last);
    }

    @Override
    public String toString() {
        return opcode() + " id " + workRequestId() + " " + state() + " psn " + Integer.toHexString(firstPsn()) + ".."
                + Integer.toHexString(lastPsn()) + ", " + scatter;
    }
}
