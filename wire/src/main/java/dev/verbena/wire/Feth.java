// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The FLUSH extended transport header, which precedes the RETH (InfiniBand Architecture Specification, volume 1, Annex
 * A19).
 *
 * <pre>{@code
 * bit    31                      6 5   4 3   0
 *       +-------------------------+-----+-----+
 *     0 |        reserved         | SEL | PLT |
 *       +-------------------------+-----+-----+
 * }</pre>
 */
public final class Feth extends Flyweight<Feth> {
    /** The length of the FETH in bytes. */
    public static final int LENGTH = 4;

    /** The offset of the selectivity level within the FETH, in bytes. */
    public static final int SELECTIVITY_OFFSET = 3;

    /** The offset of the placement type within the FETH, in bytes. */
    public static final int PLACEMENT_OFFSET = 3;

    /** The selectivity level that flushes only the bytes named in the RETH. */
    public static final int RANGE = 0;

    /** The selectivity level that flushes the whole memory region of the R_Key. */
    public static final int WHOLE_REGION = 1;

    /** The placement type that makes the data visible to other readers of the memory. */
    public static final int GLOBAL_VISIBILITY = 1;

    /** The placement type that makes the data survive a loss of power. */
    public static final int PERSISTENCE = 2;

    private static final int SELECTIVITY_MASK = 0x30;
    private static final int PLACEMENT_MASK = 0x0f;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public Feth() {}

    /** {@return the selectivity level: {@link #RANGE} or {@link #WHOLE_REGION}; 2 and 3 are reserved} */
    public int selectivity() {
        return getBits(SELECTIVITY_OFFSET, SELECTIVITY_MASK);
    }

    /**
     * Sets the selectivity level.
     *
     * @param value {@link #RANGE} or {@link #WHOLE_REGION}
     * @return this
     */
    public Feth selectivity(int value) {
        putBits(SELECTIVITY_OFFSET, SELECTIVITY_MASK, value);
        return this;
    }

    /**
     * {@return the placement type: {@link #GLOBAL_VISIBILITY}, {@link #PERSISTENCE}, or their bitwise OR; other bits are
     * reserved}
     */
    public int placement() {
        return getBits(PLACEMENT_OFFSET, PLACEMENT_MASK);
    }

    /**
     * Sets the placement type.
     *
     * @param value the placement type: {@link #GLOBAL_VISIBILITY}, {@link #PERSISTENCE}, or their bitwise OR
     * @return this
     */
    public Feth placement(int value) {
        putBits(PLACEMENT_OFFSET, PLACEMENT_MASK, value);
        return this;
    }

    /**
     * Writes a whole header.
     *
     * @param selectivity {@link #RANGE} or {@link #WHOLE_REGION}
     * @param placement the placement type: {@link #GLOBAL_VISIBILITY}, {@link #PERSISTENCE}, or their bitwise OR
     * @return this
     */
    public Feth initialize(int selectivity, int placement) {
        put32(0, 0);
        return selectivity(selectivity).placement(placement);
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("sel=").append(selectivity()).append(" plt=").append(placement());
    }
}
