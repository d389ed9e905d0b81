// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The invalidate extended transport header of SEND with invalidate (InfiniBand Architecture Specification, volume
 * 1, section 9.3).
 *
 * <pre>{@code
 * byte  +-----------------------------------+
 *     0 |        R_Key to invalidate        |
 *       +-----------------------------------+
 * }</pre>
 */
public final class Ieth extends Flyweight<Ieth> {
    /** The length of the IETH in bytes. */
    public static final int LENGTH = 4;

    /** The offset of the R_Key within the IETH, in bytes. */
    public static final int REMOTE_KEY_OFFSET = 0;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public Ieth() {}

    /** {@return the R_Key that the responder must invalidate} */
    public int remoteKey() {
        return get32(REMOTE_KEY_OFFSET);
    }

    /**
     * Sets the R_Key.
     *
     * @param value the R_Key to invalidate
     * @return this
     */
    public Ieth remoteKey(int value) {
        put32(REMOTE_KEY_OFFSET, value);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("rkey=0x%08x".formatted(remoteKey()));
    }
}
