// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * A send work queue entry: the fields of {@code struct rxe_send_wqe}, in two parts. The poster's part takes one cache line if the
 * request has one scatter-gather entry. A batch has only this part of each request, so that the batches of many queue pairs take
 * half of the cache that whole entries would. The engine's part precedes it, in the queue only.
 *
 * <pre>
 * engine    0 status 4    8 first PSN 4   16 holds a credit 4    20 scatter list cursor 12
 *           4 state 4    12 last PSN 4
 * poster   32 wr_id 8    40 opcode 1      44 immediate / rkey 4  48 scatter list 8
 *                        41 send flags 1  42 checked 1           56 by operation 24
 *          80 entries or inline bytes; for a datagram the address, followed by these at 168; for a bind further operands
 * </pre>
 *
 * At 42 the poster records that it can post the request again without checks. Native byte order.
 */
public final class SendWqe extends SendOperands {
    /** Bytes of the engine's part, which precedes the poster's part and is absent from batches. */
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
    /** The length of a bind, which has operands in the place of the first scatter-gather entry. */
    private static final int LEAST = ADDRESS - ENGINE_LENGTH + ScatterList.ENTRY_LENGTH;

    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();

    private final ScatterList scatter = new ScatterList();
    private final boolean datagrams;

    /**
     * Creates a flyweight that points nowhere yet.
     *
     * @param type the type of the queue pair
     */
    public SendWqe(QpType type) {
        datagrams = type == QpType.UD;
    }

    /**
     * Returns the length of the poster's part before the scatter-gather entries.
     *
     * @param type the type of the queue pair
     * @return bytes, excluding the engine's part
     */
    public static int headerLength(QpType type) {
        return headerLength(type == QpType.UD);
    }

    /**
     * Returns the length of the poster's part before the scatter-gather entries.
     *
     * @return bytes, excluding the engine's part
     */
    public int headerLength() {
        return headerLength(datagrams);
    }

    private static int headerLength(boolean datagrams) {
        return ADDRESS - ENGINE_LENGTH + (datagrams ? WqeAddress.LENGTH : 0);
    }

    /**
     * Returns whether the queue pair sends datagrams.
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
     * @param offset the entry's offset; in a batch, the offset that the entry would have with the engine's part
     * @return this
     */
    public SendWqe wrap(Slots memory, long offset) {
        point(memory, offset);
        scatter.wrap(memory, offset + SCATTER, offset + CURSOR, inlineOffset());
        return this;
    }

    /**
     * Begins a new request: all fields of the poster's part are zero, without scatter-gather entries.
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
     * Begins a new request of a connected queue pair, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
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
     * Sets whether the poster has checked a request, so that it can be posted without further checks.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @param value false after a change that the poster must check
     */
    public static void checked(Slots memory, long offset, boolean value) {
        memory.setByte(offset + CHECKED, (byte) (value ? 1 : 0));
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
     * Returns whether a flag of a request is set, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @param flag the flag
     * @return true if it is set
     */
    public static boolean has(Slots memory, long offset, SendFlag flag) {
        return (memory.getByte(offset + FLAGS) & flag.mask()) != 0;
    }

    /**
     * Returns the length of a request of a connected queue pair without inline data, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return bytes, excluding the engine's part
     */
    public static long lengthOf(Slots memory, long offset) {
        return Math.max(LEAST, headerLength(false) + ScatterList.entriesLength(memory, offset + SCATTER));
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
     * Returns the length of the buffer of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return the length of the message
     */
    public static int length(Slots memory, long offset) {
        return ScatterList.length(memory, offset + SCATTER);
    }

    /**
     * Returns whether a request of a connected queue pair has exactly one scatter-gather entry, which covers its whole
     * length. Needs no flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return false if it has several, or none
     */
    public static boolean isOneEntry(Slots memory, long offset) {
        return ScatterList.isOneEntry(memory, offset + SCATTER, offset + ADDRESS);
    }

    /**
     * Returns the number of scatter-gather entries of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return at least 0
     */
    public static int entries(Slots memory, long offset) {
        return ScatterList.count(memory, offset + SCATTER);
    }

    /**
     * Adds a scatter-gather entry to a request of a connected queue pair, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @param address the iova of its first byte
     * @param length its bytes, unsigned
     * @param lkey the local key
     */
    public static void addEntry(Slots memory, long offset, long address, int length, int lkey) {
        ScatterList.add(memory, offset + SCATTER, offset + ADDRESS, address, length, lkey);
    }

    /**
     * Returns the address of a scatter-gather entry of a request of a connected queue pair, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @param index less than the number of entries
     * @return an iova
     */
    public static long entryAddress(Slots memory, long offset, int index) {
        return ScatterList.address(memory, entryOffset(offset, index));
    }

    /**
     * Returns the key of a scatter-gather entry of a request of a connected queue pair, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @param index less than the number of entries
     * @return its lkey
     */
    public static int entryKey(Slots memory, long offset, int index) {
        return ScatterList.key(memory, entryOffset(offset, index));
    }

    /**
     * Returns the length of a scatter-gather entry of a request of a connected queue pair, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @param index less than the number of entries
     * @return bytes, unsigned
     */
    public static int entryLength(Slots memory, long offset, int index) {
        return ScatterList.firstLength(memory, offset + SCATTER, entryOffset(offset, index));
    }

    private static long entryOffset(long offset, int index) {
        return offset + ADDRESS + (long) index * ScatterList.ENTRY_LENGTH;
    }

    /** Prepares the engine's part of a newly posted entry. */
    public void posted() {
        posted(slots, at);
    }

    /**
     * Prepares the engine's part of a newly posted entry, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
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
     * Returns the offset of the inline data.
     *
     * @return an offset in the slots
     */
    public long inlineOffset() {
        return at + ENGINE_LENGTH + headerLength();
    }

    /**
     * Returns the offset of the inline data of a request of a connected queue pair, without a flyweight.
     *
     * @param offset the request's offset
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
     * @param memory the slots with the request
     * @param offset the request's offset
     * @param value the work request id
     */
    public static void workRequestId(Slots memory, long offset, long value) {
        memory.setLong(offset + WR_ID, value);
    }

    /**
     * Returns whether a flag is set.
     *
     * @param flag the flag
     * @return true if it is set
     */
    public boolean has(SendFlag flag) {
        return (slots.getByte(at + FLAGS) & flag.mask()) != 0;
    }

    /**
     * Sets a flag of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
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
        return immediate(slots, at);
    }

    /**
     * Returns the immediate data of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return 32 bits
     */
    public static int immediate(Slots memory, long offset) {
        return memory.getInt(offset + IMMEDIATE);
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
     * Returns whether the request counts against the depth of READs and atomics.
     *
     * @return true from its first packet until its completion
     */
    public boolean holdsCredit() {
        return slots.getInt(at + CREDIT) != 0;
    }

    /**
     * Sets whether the request counts against the depth of READs and atomics.
     *
     * @param value true if it counts
     */
    public void holdsCredit(boolean value) {
        slots.setInt(at + CREDIT, value ? 1 : 0);
    }

    /**
     * Returns the completion status.
     *
     * @return the status
     */
    public WorkCompletionStatus status() {
        return STATUSES[slots.getInt(at + STATUS)];
    }

    /**
     * Sets the completion status.
     *
     * @param value the status
     */
    public void status(WorkCompletionStatus value) {
        slots.setInt(at + STATUS, value.ordinal());
    }

    /**
     * Returns the state.
     *
     * @return the state
     */
    public WqeState state() {
        return WqeState.of(slots.getInt(at + STATE));
    }

    /**
     * Sets the state.
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
     * @param first the PSN of the first packet
     * @param last the PSN of the last packet
     */
    public void psns(int first, int last) {
        slots.setInt(at + FIRST_PSN, first);
        slots.setInt(at + LAST_PSN, last);
    }

    /** Returns a description of the poster's part. */
    @Override
    public String toString() {
        return opcode() + " id " + workRequestId() + ", " + scatter;
    }
}
