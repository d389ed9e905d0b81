package dev.verbena.sim.queue;

import dev.verbena.verbs.SendOpcode;

/**
 * What a send work queue entry says beyond its buffer: the union of {@code struct rxe_send_wqe}, which means something else for
 * each operation.
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

    /** As this is done for every look at an entry, a reference is only stored if it changes: the store has a barrier. */
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
     * Returns the memory of the slots.
     *
     * @return the memory that the flyweight points into
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
     * Tells the operation of a request, without a flyweight.
     *
     * @param memory where it is
     * @param offset where it begins there
     * @return the opcode
     */
    public static SendOpcode opcode(Slots memory, long offset) {
        return OPCODES[memory.getByte(offset + OPCODE)];
    }

    /**
     * Returns the remote address.
     *
     * @return where the operation begins at the peer
     */
    public final long remoteAddress() {
        return remoteAddress(slots, at);
    }

    /**
     * Returns the peer's address of an operation on its memory, without a flyweight.
     *
     * @param memory where the entry is
     * @param offset where it begins there
     * @return an address
     */
    public static long remoteAddress(Slots memory, long offset) {
        return memory.getLong(offset + REMOTE_ADDRESS);
    }

    /**
     * Returns the peer's key of a READ or a WRITE, without a flyweight.
     *
     * @param memory where the entry is
     * @param offset where it begins there
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
     * Sets the remote side of a READ, WRITE or ATOMIC_WRITE, without a flyweight.
     *
     * @param memory where the entry is
     * @param offset where it begins there
     * @param address the remote address
     * @param rkey the remote key
     */
    public static void remote(Slots memory, long offset, long address, int rkey) {
        memory.setLong(offset + REMOTE_ADDRESS, address);
        memory.setInt(offset + RKEY, rkey);
    }

    /**
     * Sets the remote side and the operands of an atomic.
     *
     * @param address the remote address
     * @param rkey the remote key
     * @param compareOrAdd what to compare with, or to add
     * @param swap the new value of a compare and swap
     */
    public final void atomic(long address, int rkey, long compareOrAdd, long swap) {
        slots.setLong(at + REMOTE_ADDRESS, address);
        slots.setLong(at + COMPARE_OR_ADD, compareOrAdd);
        slots.setLong(at + SWAP, swap);
        slots.setInt(at + ATOMIC_RKEY, rkey);
    }

    /**
     * Returns the first operand of an atomic.
     *
     * @return what to compare with, or to add
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
     * Sets what a FLUSH covers.
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
     * Returns how much a FLUSH covers.
     *
     * @return bytes, unsigned
     */
    public final int flushLength() {
        return slots.getInt(at + FLUSH_LENGTH);
    }

    /**
     * Returns how far a FLUSH goes.
     *
     * @return the code of {@link dev.verbena.verbs.FlushPlacement}
     */
    public final int flushPlacement() {
        return slots.getByte(at + FLUSH_PLACEMENT);
    }

    /**
     * Returns what a FLUSH covers.
     *
     * @return the code of {@link dev.verbena.verbs.FlushTarget}
     */
    public final int flushTarget() {
        return slots.getByte(at + FLUSH_TARGET);
    }

    /**
     * Sets whom a datagram is for, beside its {@link #address()}.
     *
     * @param qpn the peer's number
     * @param qkey the Q_Key
     */
    public final void datagram(int qpn, int qkey) {
        slots.setInt(at + REMOTE_QPN, qpn);
        slots.setInt(at + REMOTE_QKEY, qkey);
    }

    /**
     * Returns where a datagram goes.
     *
     * @return a flyweight of the address
     */
    public final WqeAddress address() {
        return address.wrap(slots, at + ADDRESS);
    }

    /**
     * Returns the destination of a datagram.
     *
     * @return the peer's number
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
     * Sets what a window is bound to.
     *
     * @param rkey the window's present key
     * @param newRkey the key it is to have
     * @param lkey the key of the region
     * @param address the first byte
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
     * @return its key before
     */
    public final int bindRkey() {
        return slots.getInt(at + BIND_RKEY);
    }

    /**
     * Returns the key that a bind gives.
     *
     * @return the window's key afterwards
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
     * Returns where a window is to begin.
     *
     * @return an address of the region
     */
    public final long bindAddress() {
        return slots.getLong(at + BIND_ADDRESS);
    }

    /**
     * Returns the size of a window.
     *
     * @return bytes
     */
    public final long bindLength() {
        return slots.getLong(at + BIND_LENGTH);
    }

    /**
     * Returns what a window is to grant.
     *
     * @return a mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public final int bindAccess() {
        return slots.getInt(at + BIND_ACCESS);
    }

    /**
     * Sets which fast registration becomes valid.
     *
     * @param key its present key
     * @param newKey the key it is to have
     * @param access a mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public final void register(int key, int newKey, int access) {
        slots.setInt(at + REGISTER_PRESENT_KEY, key);
        slots.setInt(at + REGISTER_NEW_KEY, newKey);
        slots.setInt(at + REGISTER_ACCESS, access);
    }

    /**
     * Returns the region to register.
     *
     * @return its key before
     */
    public final int registerPresentKey() {
        return slots.getInt(at + REGISTER_PRESENT_KEY);
    }

    /**
     * Returns the key that a registration gives.
     *
     * @return the region's key afterwards
     */
    public final int registerNewKey() {
        return slots.getInt(at + REGISTER_NEW_KEY);
    }

    /**
     * Returns what a registration grants.
     *
     * @return a mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public final int registerAccess() {
        return slots.getInt(at + REGISTER_ACCESS);
    }
}
