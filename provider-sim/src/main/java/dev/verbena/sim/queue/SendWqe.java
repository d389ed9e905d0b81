package dev.verbena.sim.queue;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * A send work queue entry: what {@code struct rxe_send_wqe} has, in two parts. What the poster says takes one cache line if it has
 * one entry, and is all that a batch holds of a request: so with many queue pairs their batches take half of the cache that they
 * would. What the engine notes is before it, and in the queue only.
 *
 * <pre>
 * engine    0 status 4    8 first PSN 4   16 holds a credit 4    20 scatter list cursor 12
 *           4 state 4    12 last PSN 4
 * poster   32 wr_id 8    40 opcode 1      44 immediate / rkey 4  48 scatter list 8
 *                        41 send flags 1  42 checked 1           56 by operation 24
 *          80 entries, or inline bytes; of a datagram the address, and these behind it at 168; of a bind more of its operands
 * </pre>
 *
 * The poster notes at 42 that a request may be posted again as it is. Native byte order.
 */
public final class SendWqe extends SendOperands {
    /** Bytes of the engine's part, which comes first, and which batches have not. */
    public static final int ENGINE_LENGTH = 32;

    private static final int WR_ID = 32;
    private static final int FLAGS = 41;
    private static final int IMMEDIATE = 44;
    private static final int STATUS = 0;
    private static final int STATE = 4;
    private static final int FIRST_PSN = 8;
    private static final int LAST_PSN = 12;
    private static final int CREDIT = 16;
    private static final int CHECKED = 42;
    private static final int CURSOR = 20;
    private static final int SCATTER = 48;
    /** A bind has operands where the first entry would be. */
    private static final int LEAST = ADDRESS - ENGINE_LENGTH + ScatterList.ENTRY_LENGTH;

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
     * Tells how much the poster says before the scatter-gather entries.
     *
     * @param type of the queue pair
     * @return bytes, without the engine's part
     */
    public static int headerLength(QpType type) {
        return headerLength(type == QpType.UD);
    }

    /**
     * Tells how much the poster says before the scatter-gather entries.
     *
     * @return bytes, without the engine's part
     */
    public int headerLength() {
        return headerLength(datagrams);
    }

    private static int headerLength(boolean datagrams) {
        return ADDRESS - ENGINE_LENGTH + (datagrams ? WqeAddress.LENGTH : 0);
    }

    /**
     * Tells whether its queue pair sends datagrams.
     *
     * @return false if it is connected
     */
    public boolean isDatagram() {
        return datagrams;
    }

    /**
     * Points the flyweight at an entry.
     *
     * @param memory the slots
     * @param offset where the entry begins; in a batch, where it would with the engine's part
     * @return this
     */
    public SendWqe wrap(Slots memory, long offset) {
        point(memory, offset);
        scatter.wrap(memory, offset + SCATTER, offset + CURSOR, inlineOffset());
        return this;
    }

    /**
     * Starts a new request: everything the poster may set is zero, no entries.
     *
     * @param opcode the operation
     */
    public void begin(SendOpcode opcode) {
        begin(slots, at, opcode);
        if (datagrams) {
            address().clear();
        }
    }

    /**
     * Starts a new request of a connected queue pair, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @param opcode the operation
     */
    public static void begin(Slots memory, long offset, SendOpcode opcode) {
        memory.setLong(offset + WR_ID, 0);
        memory.setByte(offset + OPCODE, (byte) opcode.ordinal());
        memory.setByte(offset + FLAGS, (byte) 0);
        memory.setInt(offset + IMMEDIATE, 0);
        checked(memory, offset, false);
        clearOperands(memory, offset);
        ScatterList.clear(memory, offset + SCATTER);
    }

    /**
     * Says whether the poster has found that a request can be posted as it is.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @param value false when something is changed that the poster would have to look at
     */
    public static void checked(Slots memory, long offset, boolean value) {
        memory.setByte(offset + CHECKED, (byte) (value ? 1 : 0));
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
     * Tells whether a flag of a request is set, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @param flag the flag
     * @return true if it is
     */
    public static boolean has(Slots memory, long offset, SendFlag flag) {
        return (memory.getByte(offset + FLAGS) & flag.mask()) != 0;
    }

    /**
     * Tells how long a request of a connected queue pair is that does not carry its bytes, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return bytes, without the engine's part
     */
    public static long lengthOf(Slots memory, long offset) {
        return Math.max(LEAST, headerLength(false) + ScatterList.entriesLength(memory, offset + SCATTER));
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
     * Counts the entries of a request, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return number of entries
     */
    public static int entries(Slots memory, long offset) {
        return ScatterList.count(memory, offset + SCATTER);
    }

    /**
     * Adds an entry to a request of a connected queue pair, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @param address the iova of its first byte
     * @param length its bytes, unsigned
     * @param lkey the local key
     */
    public static void addEntry(Slots memory, long offset, long address, int length, int lkey) {
        ScatterList.add(memory, offset + SCATTER, offset + ADDRESS, address, length, lkey);
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
        posted(slots, at);
    }

    /**
     * Prepares the engine's part of a newly posted entry, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     */
    public static void posted(Slots memory, long offset) {
        memory.setInt(offset + STATUS, WorkCompletionStatus.SUCCESS.ordinal());
        memory.setInt(offset + STATE, WqeState.POSTED.ordinal());
        memory.setInt(offset + CREDIT, 0);
        ScatterList.rewind(memory, offset + SCATTER, offset + CURSOR);
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
        return at + ENGINE_LENGTH + headerLength();
    }

    /**
     * Returns where inline bytes of a request of a connected queue pair are, without a flyweight.
     *
     * @param offset where the request begins
     * @return an offset in the slots
     */
    public static long inlineOffset(long offset) {
        return offset + ADDRESS;
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
     * Sets the poster's id of a request, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @param value the work request id
     */
    public static void workRequestId(Slots memory, long offset, long value) {
        memory.setLong(offset + WR_ID, value);
    }

    /**
     * Tells whether a flag is set.
     *
     * @param flag the flag
     * @return true if it is
     */
    public boolean has(SendFlag flag) {
        return (slots.getByte(at + FLAGS) & flag.mask()) != 0;
    }

    /**
     * Sets a flag of a request, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @param flag the flag
     */
    public static void set(Slots memory, long offset, SendFlag flag) {
        memory.setByte(offset + FLAGS, (byte) (memory.getByte(offset + FLAGS) | flag.mask()));
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

    /** What the poster says. */
    @Override
    public String toString() {
        return opcode() + " id " + workRequestId() + ", " + scatter;
    }
}
