// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The immediate data extended transport header (InfiniBand Architecture Specification, volume 1, section 9.3).
 * Devices pass the four bytes on untouched; consumers see them as a big-endian integer.
 *
 * <pre>{@code
 * byte  +-----------------------------------+
 *     0 |          immediate data           |
 *       +-----------------------------------+
 * }</pre>
 */
public final class ImmDt extends Flyweight<ImmDt> {
    /** Length of the header in bytes. */
    public static final int LENGTH = 4;

    /** Offset of the data in bytes. */
    public static final int DATA_OFFSET = 0;

    /** Creates a header that views nothing until it is wrapped. */
    public ImmDt() {}

    /** {@return the immediate data} */
    public int data() {
        return get32(DATA_OFFSET);
    }

    /**
     * Sets the data.
     *
     * @param value the immediate data
     * @return this
     */
    public ImmDt data(int value) {
        put32(DATA_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("imm=0x%08x".formatted(data()));
    }
}
