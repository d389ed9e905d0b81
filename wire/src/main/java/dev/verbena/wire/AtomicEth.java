// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The extended transport header of atomic requests (InfiniBand Architecture Specification, volume 1, section 9.3). The
 * operands are big-endian 64-bit integers. The 64-bit target in the responder's memory has the native byte order.
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
    /** The length of the AtomicETH in bytes. */
    public static final int LENGTH = 28;

    /** The offset of the virtual address within the AtomicETH, in bytes. */
    public static final int VIRTUAL_ADDRESS_OFFSET = 0;

    /** The offset of the R_Key within the AtomicETH, in bytes. */
    public static final int REMOTE_KEY_OFFSET = 8;

    /** The offset of the swap or add operand within the AtomicETH, in bytes. */
    public static final int SWAP_OR_ADD_OFFSET = 12;

    /** The offset of the compare operand within the AtomicETH, in bytes. */
    public static final int COMPARE_OFFSET = 20;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public AtomicEth() {}

    /** {@return the virtual address in the responder's memory; a multiple of 8 in a legal request} */
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

    /** {@return the R_Key of the responder's memory region or window} */
    public int remoteKey() {
        return get32(REMOTE_KEY_OFFSET);
    }

    /**
     * Sets the R_Key.
     *
     * @param value the R_Key of the responder's memory region or window
     * @return this
     */
    public AtomicEth remoteKey(int value) {
        put32(REMOTE_KEY_OFFSET, value);
        return this;
    }

    /** {@return the swap operand of a compare and swap, or the add operand of a fetch and add} */
    public long swapOrAdd() {
        return get64(SWAP_OR_ADD_OFFSET);
    }

    /**
     * Sets the swap or add operand.
     *
     * @param value the operand
     * @return this
     */
    public AtomicEth swapOrAdd(long value) {
        put64(SWAP_OR_ADD_OFFSET, value);
        return this;
    }

    /** {@return the compare operand of a compare and swap; undefined in a fetch and add} */
    public long compare() {
        return get64(COMPARE_OFFSET);
    }

    /**
     * Sets the compare operand.
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
