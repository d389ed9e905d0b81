// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The datagram extended transport header of UD packets (InfiniBand Architecture Specification, volume 1, section 9.3).
 *
 * <pre>{@code
 * byte   0        1
 *       +--------+--------------------------+
 *     0 |               Q_Key               |
 *       +--------+--------------------------+
 *     4 | resv8  |        source QPN        |
 *       +--------+--------------------------+
 * }</pre>
 */
public final class Deth extends Flyweight<Deth> {
    /** The length of the DETH in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the Q_Key within the DETH, in bytes. */
    public static final int QUEUE_KEY_OFFSET = 0;

    /** The offset of the source QPN within the DETH, in bytes. */
    public static final int SOURCE_QPN_OFFSET = 5;

    /** The Q_Key of the general services interface, QP1. */
    public static final int GSI_QUEUE_KEY = 0x8001_0000;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    public Deth() {}

    /** {@return the 32-bit Q_Key, which must equal the Q_Key of the receiving queue pair} */
    public int queueKey() {
        return get32(QUEUE_KEY_OFFSET);
    }

    /**
     * Sets the Q_Key.
     *
     * @param value the Q_Key
     * @return this
     */
    public Deth queueKey(int value) {
        put32(QUEUE_KEY_OFFSET, value);
        return this;
    }

    /** {@return the number of the sending queue pair, 0..0xffffff} */
    public int sourceQpn() {
        return get24(SOURCE_QPN_OFFSET);
    }

    /**
     * Sets the source QPN.
     *
     * @param value the queue pair number
     * @return this
     */
    public Deth sourceQpn(int value) {
        put24(SOURCE_QPN_OFFSET, value);
        return this;
    }

    /**
     * Writes a whole header.
     *
     * @param queueKey the Q_Key
     * @param sourceQpn the number of the sending queue pair
     * @return this
     */
    public Deth initialize(int queueKey, int sourceQpn) {
        put32(QUEUE_KEY_OFFSET, queueKey);
        put32(QUEUE_KEY_OFFSET + 4, sourceQpn & 0xff_ffff);
        return this;
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("qkey=0x%08x srcqp=0x%06x".formatted(queueKey(), sourceQpn()));
    }
}
