// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.SendOpcode;

/**
 * The operands of a send work queue entry besides its buffer: the union of {@code struct rxe_send_wqe}, with different fields
 * for each operation.
 *
 * <pre>
 * RDMA     56 remote address 8, 64 rkey 4
 * atomic   56 remote address 8, 64 compare or add 8, 72 swap 8, 44 rkey 4
 * FLUSH    56 remote address 8, 64 length 4, 68 rkey 4, 72 placement 1, 73 target 1
 * UD       56 remote QPN 4, 60 Q_Key 4, 80 address 88
 * BIND_MW  56 address 8, 64 length 8, 72 lkey 4, 76 rkey 4, 80 new rkey 4, 84 access 4
 * REG_MR   56 present key 4, 64 new key 4, 68 access 4
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
     * Points the flyweight at an entry. Stores the reference only if it changes: this happens at each access to an
     * entry, and a reference store costs a card mark.
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

    /**
     * Returns the slots that the flyweight points into.
     *
     * @return the memory
     */
    public final Slots slots() {
        return slots;
    }

    /**
     * Returns the operation.
     *
     * @return the opcode
     */
    public final SendOpcode opcode() {
        return OPCODES[slots.getByte(at + OPCODE)];
    }

    /**
     * Returns the operation of a request, without a flyweight.
     *
     * @param memory the slots with the request
     * @param offset the request's offset
     * @return the opcode
     */
    public static SendOpcode opcode(Slots memory, long offset) {
        return OPCODES[memory.getByte(offset + OPCODE)];
    }

    /**
     * Returns the remote address.
     *
     * @return the address of the first byte at the peer
     */
    public final long remoteAddress() {
        return remoteAddress(slots, at);
    }

    /**
     * Returns the remote address of an entry, without a flyweight.
     *
     * @param memory the slots with the entry
     * @param offset the entry's offset
     * @return the address of the first byte at the peer
     */
    public static long remoteAddress(Slots memory, long offset) {
        return memory.getLong(offset + REMOTE_ADDRESS);
    }

    /**
     * Returns the remote key of a READ or a WRITE, without a flyweight.
     *
     * @param memory the slots with the entry
     * @param offset the entry's offset
     * @return its rkey
     */
    public static int rdmaKey(Slots memory, long offset) {
        return memory.getInt(offset + RKEY);
    }

    /**
     * Returns the remote key.
     *
     * @return the rkey of an operation on memory of the peer
     */
    public final int rkey() {
        SendOpcode operation = opcode();
        int offset = operation.isAtomic() ? ATOMIC_RKEY : operation == SendOpcode.FLUSH ? FLUSH_RKEY : RKEY;
        return slots.getInt(at + offset);
    }

    /**
     * Sets the remote address and key of a READ, WRITE or ATOMIC_WRITE, without a flyweight.
     *
     * @param memory the slots with the entry
     * @param offset the entry's offset
     * @param address the remote address
     * @param rkey the remote key
     */
    public static void remote(Slots memory, long offset, long address, int rkey) {
        memory.setLong(offset + REMOTE_ADDRESS, address);
        memory.setInt(offset + RKEY, rkey);
    }

    /**
     * Sets the remote address, the remote key and the operands of an atomic operation.
     *
     * @param address the remote address
     * @param rkey the remote key
     * @param compareOrAdd the value to compare with, or to add
     * @param swap the new value of a compare and swap
     */
    public final void atomic(long address, int rkey, long compareOrAdd, long swap) {
        slots.setLong(at + REMOTE_ADDRESS, address);
        slots.setLong(at + COMPARE_OR_ADD, compareOrAdd);
        slots.setLong(at + SWAP, swap);
        slots.setInt(at + ATOMIC_RKEY, rkey);
    }

    /**
     * Returns the first operand of an atomic operation.
     *
     * @return the value to compare with, or to add
     */
    public final long compareOrAdd() {
        return slots.getLong(at + COMPARE_OR_ADD);
    }

    /**
     * Returns the second operand of a compare and swap.
     *
     * @return the new value
     */
    public final long swap() {
        return slots.getLong(at + SWAP);
    }

    /**
     * Sets the operands of a FLUSH.
     *
     * @param address the remote address
     * @param rkey the remote key
     * @param length bytes, unsigned
     * @param target the code of {@link dev.verbena.verbs.FlushTarget}
     * @param placement the code of {@link dev.verbena.verbs.FlushPlacement}
     */
    public final void flush(long address, int rkey, int length, int target, int placement) {
        slots.setLong(at + REMOTE_ADDRESS, address);
        slots.setInt(at + FLUSH_LENGTH, length);
        slots.setInt(at + FLUSH_RKEY, rkey);
        slots.setByte(at + FLUSH_PLACEMENT, (byte) placement);
        slots.setByte(at + FLUSH_TARGET, (byte) target);
    }

    /**
     * Returns the length of a FLUSH.
     *
     * @return bytes, unsigned
     */
    public final int flushLength() {
        return slots.getInt(at + FLUSH_LENGTH);
    }

    /**
     * Returns the placement of a FLUSH.
     *
     * @return the code of {@link dev.verbena.verbs.FlushPlacement}
     */
    public final int flushPlacement() {
        return slots.getByte(at + FLUSH_PLACEMENT);
    }

    /**
     * Returns the target of a FLUSH.
     *
     * @return the code of {@link dev.verbena.verbs.FlushTarget}
     */
    public final int flushTarget() {
        return slots.getByte(at + FLUSH_TARGET);
    }

    /**
     * Sets the destination queue pair of a datagram, which {@link #address()} does not contain.
     *
     * @param qpn the number of the destination queue pair
     * @param qkey the Q_Key
     */
    public final void datagram(int qpn, int qkey) {
        slots.setInt(at + REMOTE_QPN, qpn);
        slots.setInt(at + REMOTE_QKEY, qkey);
    }

    /**
     * Returns the address of a datagram.
     *
     * @return a flyweight of the address
     */
    public final WqeAddress address() {
        return address.wrap(slots, at + ADDRESS);
    }

    /**
     * Returns the destination queue pair of a datagram.
     *
     * @return its number
     */
    public final int remoteQpn() {
        return slots.getInt(at + REMOTE_QPN);
    }

    /**
     * Returns the Q_Key of a datagram.
     *
     * @return the key as posted
     */
    public final int remoteQkey() {
        return slots.getInt(at + REMOTE_QKEY);
    }

    /**
     * Sets the operands of BIND_MW.
     *
     * @param rkey the window's present key
     * @param newRkey the window's new key
     * @param lkey the key of the region
     * @param address the address of the first byte
     * @param length bytes
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public final void bind(int rkey, int newRkey, int lkey, long address, long length, int access) {
        slots.setLong(at + BIND_ADDRESS, address);
        slots.setLong(at + BIND_LENGTH, length);
        slots.setInt(at + BIND_LKEY, lkey);
        slots.setInt(at + BIND_RKEY, rkey);
        slots.setInt(at + BIND_NEW_RKEY, newRkey);
        slots.setInt(at + BIND_ACCESS, access);
    }

    /**
     * Returns the window of a bind.
     *
     * @return the window's key before the bind
     */
    public final int bindRkey() {
        return slots.getInt(at + BIND_RKEY);
    }

    /**
     * Returns the new key of a bind.
     *
     * @return the window's key after the bind
     */
    public final int bindNewRkey() {
        return slots.getInt(at + BIND_NEW_RKEY);
    }

    /**
     * Returns the region of a bind.
     *
     * @return its lkey
     */
    public final int bindLkey() {
        return slots.getInt(at + BIND_LKEY);
    }

    /**
     * Returns the start of the window of a bind.
     *
     * @return an address in the region
     */
    public final long bindAddress() {
        return slots.getLong(at + BIND_ADDRESS);
    }

    /**
     * Returns the size of the window of a bind.
     *
     * @return bytes
     */
    public final long bindLength() {
        return slots.getLong(at + BIND_LENGTH);
    }

    /**
     * Returns the rights of the window of a bind.
     *
     * @return a mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public final int bindAccess() {
        return slots.getInt(at + BIND_ACCESS);
    }

    /**
     * Sets the operands of REG_MR.
     *
     * @param key the region's present key
     * @param newKey the region's new key
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public final void register(int key, int newKey, int access) {
        slots.setInt(at + REGISTER_PRESENT_KEY, key);
        slots.setInt(at + REGISTER_NEW_KEY, newKey);
        slots.setInt(at + REGISTER_ACCESS, access);
    }

    /**
     * Returns the region of a REG_MR.
     *
     * @return the region's key before the registration
     */
    public final int registerPresentKey() {
        return slots.getInt(at + REGISTER_PRESENT_KEY);
    }

    /**
     * Returns the new key of a REG_MR.
     *
     * @return the region's key after the registration
     */
    public final int registerNewKey() {
        return slots.getInt(at + REGISTER_NEW_KEY);
    }

    /**
     * Returns the rights of a REG_MR.
     *
     * @return a mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public final int registerAccess() {
        return slots.getInt(at + REGISTER_ACCESS);
    }
}
