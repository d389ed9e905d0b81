// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * A send work queue entry: the fields of {@code struct rxe_send_wqe}. In the send queue, the fields that the requester and
 * completer write precede the fields that the posting thread writes. For an RC or UC request with one scatter/gather entry,
 * the posting thread writes 64 bytes, one cache line. A batch ({@code SendRequests}) stores only the fields that the
 * posting thread writes, and so occupies less of the processor's cache.
 *
 * <pre>
 * requester 0 status 4    8 first PSN 4   16 holds a credit 4    20 scatter list cursor 12
 *           4 state 4    12 last PSN 4
 * posting  32 wr_id 8    40 opcode 1      44 immediate / rkey 4  48 scatter list 8
 *                        41 send flags 1  42 checked 1           56 by operation 24
 *          80 entries or inline bytes; for UD the address vector, followed by these at 168; for BIND_MW further fields
 * </pre>
 *
 * When an RC or UC request has been posted, the posting thread sets the byte at offset 42 of the request. If byte 42 is set
 * and the request has no inline data, later posts skip the checks. The byte order is native.
 */
public final class SendWqe extends SendOperands {
    /** The length in bytes of the requester's and completer's fields at the start of a send WQE. */
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
    /**
     * The minimum number of bytes that a post copies to the send queue for a request without inline data. The first SGE is
     * always copied, because a BIND_MW request stores its new rkey and its access flags there.
     */
    private static final int LEAST = ADDRESS - ENGINE_LENGTH + ScatterList.ENTRY_LENGTH;

    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();

    private final ScatterList scatter = new ScatterList();
    private final boolean datagrams;

    /** Creates a flyweight that reads and writes send WQEs of one queue pair type. Call {@link #wrap} first. */
    public SendWqe(QpType type) {
        datagrams = type == QpType.UD;
    }

    /** Returns the length in bytes of the fields that a post writes to a send WQE, excluding the scatter/gather entries. */
    public static int headerLength(QpType type) {
        return headerLength(type == QpType.UD);
    }

    public int headerLength() {
        return headerLength(datagrams);
    }

    private static int headerLength(boolean datagrams) {
        return ADDRESS - ENGINE_LENGTH + (datagrams ? WqeAddress.LENGTH : 0);
    }

    public boolean isDatagram() {
        return datagrams;
    }

    /**
     * Makes this flyweight read and write the send WQE at {@code offset}.
     *
     * @param offset the offset of the WQE. A batch ({@code SendRequests}) stores each WQE without its first {@link
     *     #ENGINE_LENGTH} bytes. For a WQE in a batch, pass the offset of its first stored byte minus {@code ENGINE_LENGTH}
     */
    public SendWqe wrap(Slots memory, long offset) {
        point(memory, offset);
        scatter.wrap(memory, offset + SCATTER, offset + CURSOR, inlineOffset());
        return this;
    }

    /**
     * Begins a send request: sets the opcode, zeroes all other fields that the posting thread writes, and empties the
     * scatter/gather list.
     */
    public void begin(SendOpcode opcode) {
        begin(slots, at, opcode);
        if (datagrams) {
            address().clear();
        }
    }

    public static void begin(Slots memory, long offset, SendOpcode opcode) {
        memory.setLong(offset + WR_ID, 0);
        memory.setByte(offset + OPCODE, (byte) opcode.ordinal());
        memory.setByte(offset + FLAGS, (byte) 0);
        memory.setInt(offset + IMMEDIATE, 0);
        checked(memory, offset, false);
        clearOperands(memory, offset);
        ScatterList.clear(memory, offset + SCATTER);
    }

    /** Sets whether a send request has passed the checks of a post, so that later posts skip the checks. */
    public static void checked(Slots memory, long offset, boolean value) {
        memory.setByte(offset + CHECKED, (byte) (value ? 1 : 0));
    }

    public static boolean isChecked(Slots memory, long offset) {
        return memory.getByte(offset + CHECKED) != 0;
    }

    public static boolean has(Slots memory, long offset, SendFlag flag) {
        return (memory.getByte(offset + FLAGS) & flag.mask()) != 0;
    }

    /**
     * Returns the length in bytes of the send WQE fields that the posting thread writes. The queue pair must be connected,
     * and the request must have no inline data.
     */
    public static long lengthOf(Slots memory, long offset) {
        return Math.max(LEAST, headerLength(false) + ScatterList.entriesLength(memory, offset + SCATTER));
    }

    public static long workRequestId(Slots memory, long offset) {
        return memory.getLong(offset + WR_ID);
    }

    public static int length(Slots memory, long offset) {
        return ScatterList.length(memory, offset + SCATTER);
    }

    /**
     * Returns whether a request of a connected queue pair has exactly one scatter/gather entry, which covers its whole length.
     */
    public static boolean isOneEntry(Slots memory, long offset) {
        return ScatterList.isOneEntry(memory, offset + SCATTER, offset + ADDRESS);
    }

    public static int entries(Slots memory, long offset) {
        return ScatterList.count(memory, offset + SCATTER);
    }

    public static void addEntry(Slots memory, long offset, long address, int length, int lkey) {
        ScatterList.add(memory, offset + SCATTER, offset + ADDRESS, address, length, lkey);
    }

    public static long entryAddress(Slots memory, long offset, int index) {
        return ScatterList.address(memory, entryOffset(offset, index));
    }

    public static int entryKey(Slots memory, long offset, int index) {
        return ScatterList.key(memory, entryOffset(offset, index));
    }

    public static int entryLength(Slots memory, long offset, int index) {
        return ScatterList.firstLength(memory, offset + SCATTER, entryOffset(offset, index));
    }

    private static long entryOffset(long offset, int index) {
        return offset + ADDRESS + (long) index * ScatterList.ENTRY_LENGTH;
    }

    public void posted() {
        posted(slots, at);
    }

    public static void posted(Slots memory, long offset) {
        memory.setInt(offset + STATUS, WorkCompletionStatus.SUCCESS.ordinal());
        memory.setInt(offset + STATE, WqeState.POSTED.ordinal());
        memory.setInt(offset + CREDIT, 0);
        ScatterList.rewind(memory, offset + SCATTER, offset + CURSOR);
    }

    public ScatterList scatter() {
        return scatter;
    }

    public long inlineOffset() {
        return at + ENGINE_LENGTH + headerLength();
    }

    public static long inlineOffset(long offset) {
        return offset + ADDRESS;
    }

    public long workRequestId() {
        return workRequestId(slots, at);
    }

    public static void workRequestId(Slots memory, long offset, long value) {
        memory.setLong(offset + WR_ID, value);
    }

    public boolean has(SendFlag flag) {
        return (slots.getByte(at + FLAGS) & flag.mask()) != 0;
    }

    public static void set(Slots memory, long offset, SendFlag flag) {
        memory.setByte(offset + FLAGS, (byte) (memory.getByte(offset + FLAGS) | flag.mask()));
    }

    public int immediate() {
        return immediate(slots, at);
    }

    public static int immediate(Slots memory, long offset) {
        return memory.getInt(offset + IMMEDIATE);
    }

    public void immediate(int value) {
        slots.setInt(at + IMMEDIATE, value);
    }

    /** Returns whether the request, for example a READ in flight, counts against max_rd_atomic now. */
    public boolean holdsCredit() {
        return slots.getInt(at + CREDIT) != 0;
    }

    public void holdsCredit(boolean value) {
        slots.setInt(at + CREDIT, value ? 1 : 0);
    }

    public WorkCompletionStatus status() {
        return STATUSES[slots.getInt(at + STATUS)];
    }

    public void status(WorkCompletionStatus value) {
        slots.setInt(at + STATUS, value.ordinal());
    }

    public WqeState state() {
        return WqeState.of(slots.getInt(at + STATE));
    }

    public void state(WqeState value) {
        slots.setInt(at + STATE, value.ordinal());
    }

    public int firstPsn() {
        return slots.getInt(at + FIRST_PSN);
    }

    public int lastPsn() {
        return slots.getInt(at + LAST_PSN);
    }

    public void psns(int first, int last) {
        slots.setInt(at + FIRST_PSN, first);
        slots.setInt(at + LAST_PSN, last);
    }

    @Override
    public String toString() {
        return opcode() + " id " + workRequestId() + ", " + scatter;
    }
}
