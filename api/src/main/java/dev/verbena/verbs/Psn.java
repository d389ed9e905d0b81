// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A packet sequence number (PSN) of 24 bits: {@code rq_psn} and {@code sq_psn} of {@code ibv_modify_qp} (IBTA volume 1, chapter
 * 9).
 *
 * <p>The {@link QpAttributes#sqPsn()} of a queue pair is the {@link QpAttributes#rqPsn()} of its peer. A program should start
 * every connection with a new random PSN, so that the queue pair does not accept packets of an earlier connection.
 *
 * @param value 0..0xFFFFFF
 * @since 1.0
 */
public record Psn(int value) {
    /** The largest PSN, which is 2^24 - 1. */
    public static final int MAX_VALUE = 0xFF_FFFF;

    /** Sequence number 0. */
    public static final Psn ZERO = new Psn(0);

    /**
     * Checks the range, because the kernel silently truncates a number of more than 24 bits.
     *
     * @throws IllegalArgumentException if the PSN is outside 0..0xFFFFFF
     */
    public Psn {
        ValueChecks.inRange("psn", value, 0, MAX_VALUE, "keep the low 24 bits: value & 0xFFFFFF");
    }

    /**
     * Returns a packet sequence number.
     *
     * @param value 0..0xFFFFFF
     * @return the packet sequence number
     * @throws IllegalArgumentException if the PSN is outside 0..0xFFFFFF
     */
    public static Psn of(int value) {
        return new Psn(value);
    }

    /** {@return six hexadecimal digits, as the ping-pong examples of libibverbs print them: {@code 0x00fb3c}} */
    @Override
    public String toString() {
        return String.format("0x%06x", value);
    }
}
