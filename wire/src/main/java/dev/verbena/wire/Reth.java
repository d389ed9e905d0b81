// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The RDMA extended transport header of RDMA WRITE, RDMA READ, ATOMIC WRITE and FLUSH (InfiniBand Architecture
 * Specification, volume 1, section 9.3).
 *
 * <pre>{@code
 * byte  +-----------------------------------+
 *     0 |          virtual address          |
 *     4 |                                   |
 *       +-----------------------------------+
 *     8 |               R_Key               |
 *       +-----------------------------------+
 *    12 |            DMA length             |
 *       +-----------------------------------+
 * }</pre>
 */
public final class Reth extends Flyweight<Reth> {
    /** The length of the RETH in bytes. */
    public static final int LENGTH = 16;

    /** The offset of the virtual address within the RETH, in bytes. */
    public static final int VIRTUAL_ADDRESS_OFFSET = 0;

    /** The offset of the R_Key within the RETH, in bytes. */
    public static final int REMOTE_KEY_OFFSET = 8;

    /** The offset of the DMA length within the RETH, in bytes. */
    public static final int DMA_LENGTH_OFFSET = 12;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public Reth() {}

    /** {@return the 64-bit virtual address in the responder's memory} */
    public long virtualAddress() {
        return get64(VIRTUAL_ADDRESS_OFFSET);
    }

    /**
     * Sets the virtual address.
     *
     * @param value the address at the responder
     * @return this
     */
    public Reth virtualAddress(long value) {
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
    public Reth remoteKey(int value) {
        put32(REMOTE_KEY_OFFSET, value);
        return this;
    }

    /** {@return the length of the whole message in bytes, an unsigned 32-bit number} */
    public int dmaLength() {
        return get32(DMA_LENGTH_OFFSET);
    }

    /**
     * Sets the DMA length.
     *
     * @param value the length of the whole message in bytes, 0..2^31
     * @return this
     */
    public Reth dmaLength(int value) {
        put32(DMA_LENGTH_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("va=0x%016x rkey=0x%08x len=%s"
                .formatted(virtualAddress(), remoteKey(), Integer.toUnsignedString(dmaLength())));
    }
}
