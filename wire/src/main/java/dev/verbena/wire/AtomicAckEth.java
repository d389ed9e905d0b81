// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The extended transport header that follows the AETH in an ATOMIC ACKNOWLEDGE (InfiniBand Architecture Specification,
 * volume 1, section 9.5).
 *
 * <pre>{@code
 * byte  +-----------------------------------+
 *     0 |       original remote data        |
 *     4 |                                   |
 *       +-----------------------------------+
 * }</pre>
 */
public final class AtomicAckEth extends Flyweight<AtomicAckEth> {
    /** The length of the AtomicAckETH in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the original remote data within the AtomicAckETH, in bytes. */
    public static final int ORIGINAL_VALUE_OFFSET = 0;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public AtomicAckEth() {}

    /** {@return the value in the responder's memory before the atomic operation} */
    public long originalValue() {
        return get64(ORIGINAL_VALUE_OFFSET);
    }

    /**
     * Sets the original remote data.
     *
     * @param value the value in the responder's memory before the atomic operation
     * @return this
     */
    public AtomicAckEth originalValue(long value) {
        put64(ORIGINAL_VALUE_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("orig=0x%016x".formatted(originalValue()));
    }
}
