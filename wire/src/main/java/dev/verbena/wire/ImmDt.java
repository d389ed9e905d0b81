// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The immediate data extended transport header (InfiniBand Architecture Specification, volume 1, section 9.3). Devices do
 * not interpret immediate data; applications receive the four bytes as a big-endian integer.
 *
 * <pre>{@code
 * byte  +-----------------------------------+
 *     0 |          immediate data           |
 *       +-----------------------------------+
 * }</pre>
 */
public final class ImmDt extends Flyweight<ImmDt> {
    /** The length of the ImmDt in bytes. */
    public static final int LENGTH = 4;

    /** The offset of the immediate data within the ImmDt, in bytes. */
    public static final int DATA_OFFSET = 0;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public ImmDt() {}

    /** {@return the immediate data} */
    public int data() {
        return get32(DATA_OFFSET);
    }

    /**
     * Sets the immediate data.
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
