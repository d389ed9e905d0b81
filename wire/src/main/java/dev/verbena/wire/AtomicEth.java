// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The extended transport header of the atomic requests (InfiniBand Architecture Specification, volume 1, section 9.3).
 * Operands are 64-bit integers; the requester sends them in the byte order of the wire, and the responder applies them
 * to a value in its own byte order.
 *
 * <pre>{@code
 * byte  +-----------------------------------+
 *     0 |          virtual address          |
 *     4 |                                   |
 *       +-----------------------------------+
 *     8 |               R_Key               |
 *       +-----------------------------------+
 *    12 |       swap (or add) operand       |
 *    16 |                                   |
 *       +-----------------------------------+
 *    20 |         compare operand           |
 *    24 |                                   |
 *       +-----------------------------------+
 * }</pre>
 */
public final class AtomicEth extends Flyweight<AtomicEth> {
    /** Length of the header in bytes. */
    public static final int LENGTH = 28;

    /** Offset of the virtual address in bytes. */
    public static final int VIRTUAL_ADDRESS_OFFSET = 0;

    /** Offset of the R_Key in bytes. */
    public static final int REMOTE_KEY_OFFSET = 8;

    /** Offset of the swap or add in bytes. */
    public static final int SWAP_OR_ADD_OFFSET = 12;

    /** Offset of the compare in bytes. */
    public static final int COMPARE_OFFSET = 20;

    /** Creates a header that views nothing until it is wrapped. */
    public AtomicEth() {}

    /** {@return the address at the responder, a multiple of 8 in a legal request} */
    public long virtualAddress() {
        return get64(VIRTUAL_ADDRESS_OFFSET);
    }

    /**
     * Sets the virtual address.
     *
     * @param value the address at the responder
     * @return this
     */
    public AtomicEth virtualAddress(long value) {
        put64(VIRTUAL_ADDRESS_OFFSET, value);
        return this;
    }

    /** {@return the R_Key of the region or window} */
    public int remoteKey() {
        return get32(REMOTE_KEY_OFFSET);
    }

    /**
     * Sets the R_Key.
     *
     * @param value the R_Key of the region or window
     * @return this
     */
    public AtomicEth remoteKey(int value) {
        put32(REMOTE_KEY_OFFSET, value);
        return this;
    }

    /** {@return what compare and swap stores, or what fetch and add adds} */
    public long swapOrAdd() {
        return get64(SWAP_OR_ADD_OFFSET);
    }

    /**
     * Sets the swap or add.
     *
     * @param value the operand
     * @return this
     */
    public AtomicEth swapOrAdd(long value) {
        put64(SWAP_OR_ADD_OFFSET, value);
        return this;
    }

    /** {@return what compare and swap compares with; rubbish in a fetch and add} */
    public long compare() {
        return get64(COMPARE_OFFSET);
    }

    /**
     * Sets the compare.
     *
     * @param value the operand
     * @return this
     */
    public AtomicEth compare(long value) {
        put64(COMPARE_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("va=0x%016x rkey=0x%08x swap=0x%016x cmp=0x%016x"
                .formatted(virtualAddress(), remoteKey(), swapOrAdd(), compare()));
    }
}
