// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.time.Duration;

/**
 * The time that a requester waits for an acknowledgement before it retransmits a request packet: 4.096 us * 2^{@code code}
 * ({@code timeout} of ibv_modify_qp(3), IBTA volume 1, 9.7.6.1.3).
 *
 * <p>The ACK timeout is a lower bound: hardware may wait up to four times as long. With retryCount retransmissions, the
 * requester detects a dead peer after at least (retryCount + 1) timeouts and at most 4 * (retryCount + 1) timeouts. Common
 * encoded values of an ACK timeout are 14 (67 ms) and 18 (1.07 s).
 *
 * @param code the exponent of the timeout, 0..31; 0 means no timeout
 * @since 1.0
 */
public record AckTimeout(int code) {
    private static final int LARGEST_CODE = 31;
    private static final long UNIT_NANOS = 4096;

    /** No timeout: the requester never detects a lost packet or a dead peer. Rarely useful. */
    public static final AckTimeout NONE = new AckTimeout(0);

    /**
     * Checks the range of the exponent.
     *
     * @throws IllegalArgumentException if the exponent is outside 0..31
     */
    public AckTimeout {
        ValueChecks.inRange("ack timeout code", code, 0, LARGEST_CODE, "give a span instead: AckTimeout.atLeast");
    }

    /**
     * Rounds a duration up to a finite ACK timeout.
     *
     * @param wanted the duration, 0 to 8796.09 s; for 0, the method returns the shortest timeout (8.192 us)
     * @return the duration, rounded up to a finite timeout
     * @throws IllegalArgumentException if the duration is negative or exceeds the longest finite timeout
     */
    public static AckTimeout atLeast(Duration wanted) {
        if (!wanted.isNegative()) {
            for (int code = 1; code <= LARGEST_CODE; code++) {
                if (wanted.compareTo(Duration.ofNanos(UNIT_NANOS << code)) <= 0) {
                    return new AckTimeout(code);
                }
            }
        }
        throw new IllegalArgumentException("ack timeout is " + wanted + ", legal is PT0S.."
                + Duration.ofNanos(UNIT_NANOS << LARGEST_CODE) + "; for no timeout use AckTimeout.NONE");
    }

    /**
     * Returns the timeout with a given exponent.
     *
     * @param code the exponent, 0..31
     * @return the timeout
     * @throws IllegalArgumentException if the exponent is outside 0..31
     */
    public static AckTimeout ofCode(int code) {
        return new AckTimeout(code);
    }

    /** {@return whether this timeout is {@link #NONE}; with {@code NONE}, the requester waits forever} */
    public boolean isNone() {
        return code == 0;
    }

    /** {@return the timeout in nanoseconds, 8192..8796093022208, or {@link Long#MAX_VALUE} for {@link #NONE}} */
    public long nanos() {
        return isNone() ? Long.MAX_VALUE : UNIT_NANOS << code;
    }

    /** {@return the timeout; for {@link #NONE} a duration of {@link Long#MAX_VALUE} nanoseconds (292 years)} */
    public Duration duration() {
        return Duration.ofNanos(nanos());
    }

    /** {@return the encoded value and the duration of the ACK timeout, such as {@code 14 (67.108864 ms)}} */
    @Override
    public String toString() {
        return code + " (" + (isNone() ? "no timeout" : ValueChecks.readable(nanos())) + ")";
    }
}
