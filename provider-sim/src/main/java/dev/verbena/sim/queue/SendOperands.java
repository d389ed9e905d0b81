// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.SendOpcode;

/**
 * The opcode of a send WQE, and the fields whose meaning depends on the opcode. The fields of different opcodes overlap in
 * the WQE, like the union in {@code struct rxe_send_wr}.
 *
 * <pre>
 * RDMA     56 remote address 8, 64 rkey 4
 * atomic   56 remote address 8, 64 compare or add 8, 72 swap 8, 44 rkey 4
 * FLUSH    56 remote address 8, 64 length 4, 68 rkey 4, 72 placement 1, 73 target 1
 * UD       56 remote QPN 4, 60 Q_Key 4, 80 address vector 88
 * BIND_MW  56 address 8, 64 length 8, 72 lkey 4, 76 rkey 4, 80 new rkey 4, 84 access 4
 * REG_MR   56 current key 4, 64 new key 4, 68 access 4
 * </pre>
 */
public abstract class SendOperands {
    static final int OPCODE = 40;
    private static final int UNION = 56;
    private static final int UNION_USED = 24;
    static final int ADDRESS = 80;
    private static final int REMOTE_ADDRESS = 56;
    private static final int RKEY = 64;
    private static final int COMPARE_OR_ADD = 64;
    private static final int SWAP = 72;
    private static final int ATOMIC_RKEY = 44;
    private static final int FLUSH_LENGTH = 64;
    private static final int FLUSH_RKEY = 68;
    private static final int FLUSH_PLACEMENT = 72;
    private static final int FLUSH_TARGET = 73;
    private static final int REMOTE_QPN = 56;
    private static final int REMOTE_QKEY = 60;
    private static final int BIND_ADDRESS = 56;
    private static final int BIND_LENGTH = 64;
    private static final int BIND_LKEY = 72;
    private static final int BIND_RKEY = 76;
    private static final int BIND_NEW_RKEY = 80;
    private static final int BIND_ACCESS = 84;
    private static final int REGISTER_PRESENT_KEY = 56;
    private static final int REGISTER_NEW_KEY = 64;
    private static final int REGISTER_ACCESS = 68;
    private static final SendOpcode[] OPCODES = SendOpcode.values();

    private final WqeAddress address = new WqeAddress();
    Slots slots = Slots.NONE;
    long at;

    SendOperands() {}

    /**
     * Makes this flyweight read and write the send WQE at {@code offset}. The reference to {@code memory} is stored only if
     * it changes, because storing a reference also writes to the garbage collector's card table.
     */
    @SuppressWarnings("ReferenceEquality")
    final void point(Slots memory, long offset) {
        if (slots != memory) {
            slots = memory;
        }
        at = offset;
    }

    static void clearOperands(Slots memory, long offset) {
        for (int operand = UNION; operand < UNION + UNION_USED; operand += Long.BYTES) {
            memory.setLong(offset + operand, 0);
        }
    }

    public final Slots slots() {
        return slots;
    }

    public final SendOpcode opcode() {
        return OPCODES[slots.getByte(at + OPCODE)];
    }

    public static SendOpcode opcode(Slots memory, long offset) {
        return OPCODES[memory.getByte(offset + OPCODE)];
    }

    public final long remoteAddress() {
        return remoteAddress(slots, at);
    }

    public static long remoteAddress(Slots memory, long offset) {
        return memory.getLong(offset + REMOTE_ADDRESS);
    }

    public static int rdmaKey(Slots memory, long offset) {
        return memory.getInt(offset + RKEY);
    }

    public final int rkey() {
        SendOpcode operation = opcode();
        int offset = operation.isAtomic() ? ATOMIC_RKEY : operation == SendOpcode.FLUSH ? FLUSH_RKEY : RKEY;
        return slots.getInt(at + offset);
    }

    public static void remote(Slots memory, long offset, long address, int rkey) {
        memory.setLong(offset + REMOTE_ADDRESS, address);
        memory.setInt(offset + RKEY, rkey);
    }

    public final void atomic(long address, int rkey, long compareOrAdd, long swap) {
        slots.setLong(at + REMOTE_ADDRESS, address);
        slots.setLong(at + COMPARE_OR_ADD, compareOrAdd);
        slots.setLong(at + SWAP, swap);
        slots.setInt(at + ATOMIC_RKEY, rkey);
    }

    public final long compareOrAdd() {
        return slots.getLong(at + COMPARE_OR_ADD);
    }

    public final long swap() {
        return slots.getLong(at + SWAP);
    }

    public final void flush(long address, int rkey, int length, int target, int placement) {
        slots.setLong(at + REMOTE_ADDRESS, address);
        slots.setInt(at + FLUSH_LENGTH, length);
        slots.setInt(at + FLUSH_RKEY, rkey);
        slots.setByte(at + FLUSH_PLACEMENT, (byte) placement);
        slots.setByte(at + FLUSH_TARGET, (byte) target);
    }

    public final int flushLength() {
        return slots.getInt(at + FLUSH_LENGTH);
    }

    public final int flushPlacement() {
        return slots.getByte(at + FLUSH_PLACEMENT);
    }

    public final int flushTarget() {
        return slots.getByte(at + FLUSH_TARGET);
    }

    /** Sets the destination QPN and the Q_Key of a datagram. The QPN and the Q_Key are not part of {@link #address()}. */
    public final void datagram(int qpn, int qkey) {
        slots.setInt(at + REMOTE_QPN, qpn);
        slots.setInt(at + REMOTE_QKEY, qkey);
    }

    public final WqeAddress address() {
        return address.wrap(slots, at + ADDRESS);
    }

    public final int remoteQpn() {
        return slots.getInt(at + REMOTE_QPN);
    }

    public final int remoteQkey() {
        return slots.getInt(at + REMOTE_QKEY);
    }

    public final void bind(int rkey, int newRkey, int lkey, long address, long length, int access) {
        slots.setLong(at + BIND_ADDRESS, address);
        slots.setLong(at + BIND_LENGTH, length);
        slots.setInt(at + BIND_LKEY, lkey);
        slots.setInt(at + BIND_RKEY, rkey);
        slots.setInt(at + BIND_NEW_RKEY, newRkey);
        slots.setInt(at + BIND_ACCESS, access);
    }

    public final int bindRkey() {
        return slots.getInt(at + BIND_RKEY);
    }

    public final int bindNewRkey() {
        return slots.getInt(at + BIND_NEW_RKEY);
    }

    public final int bindLkey() {
        return slots.getInt(at + BIND_LKEY);
    }

    public final long bindAddress() {
        return slots.getLong(at + BIND_ADDRESS);
    }

    public final long bindLength() {
        return slots.getLong(at + BIND_LENGTH);
    }

    public final int bindAccess() {
        return slots.getInt(at + BIND_ACCESS);
    }

    public final void register(int key, int newKey, int access) {
        slots.setInt(at + REGISTER_PRESENT_KEY, key);
        slots.setInt(at + REGISTER_NEW_KEY, newKey);
        slots.setInt(at + REGISTER_ACCESS, access);
    }

    public final int registerPresentKey() {
        return slots.getInt(at + REGISTER_PRESENT_KEY);
    }

    public final int registerNewKey() {
        return slots.getInt(at + REGISTER_NEW_KEY);
    }

    public final int registerAccess() {
        return slots.getInt(at + REGISTER_ACCESS);
    }
}
