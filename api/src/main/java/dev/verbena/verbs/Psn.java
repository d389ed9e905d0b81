// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A packet sequence number, 24 bits, as given to {@code ibv_modify_qp} in {@code rq_psn} and {@code sq_psn} (IBTA
 * volume 1, chapter 9).
 *
 * <p>One side's {@link QpAttributes#sqPsn()} is the other side's {@link QpAttributes#rqPsn()}. Draw a fresh random
 * start for every connection, so that packets of an earlier one are not taken for new.
 *
 * @param value 0..0xFFFFFF
 * @since 1.0
 */
public record Psn(int value) {
    /** The largest value, 2^24 - 1. */
    public static final int MAX_VALUE = 0xFF_FFFF;

    /** Sequence number 0. */
    public static final Psn ZERO = new Psn(0);

    /**
     * Refuses a number of more than 24 bits, which the kernel would truncate silently.
     *
     * @throws IllegalArgumentException if the value is outside 0..0xFFFFFF
     */
    public Psn {
        ValueChecks.inRange("psn", value, 0, MAX_VALUE, "keep the low 24 bits: value & 0xFFFFFF");
    }

    /**
     * A sequence number.
     *
     * @param value 0..0xFFFFFF
     * @return the number as a type
     * @throws IllegalArgumentException if the value is outside that range
     */
    public static Psn of(int value) {
        return new Psn(value);
    }

    /** Prints six hexadecimal digits, as the ping-pong examples of libibverbs do: {@code 0x00fb3c}. */
    @Override
    public String toString() {
        return String.format("0x%06x", value);
    }
}
