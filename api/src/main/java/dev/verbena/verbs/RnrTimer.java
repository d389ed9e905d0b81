// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.time.Duration;

/**
 * The time that a peer must wait before it retransmits a message for which the receiver had no posted receive
 * ({@code min_rnr_timer} of ibv_modify_qp(3), IBTA volume 1, table 45, "encoding for RNR NAK timer field").
 *
 * <p>A higher encoded value does not always mean a longer RNR timer. The encoded value 0 means the longest time, 655.36 ms.
 * Zeroed structures and librdmacm use the encoded value 0. If the receiver has no posted receives, the encoded value 0
 * limits the sender to about three attempts in two seconds. {@link #atLeast(Duration)} returns the timer for a duration.
 *
 * @param code 0..31, the encoded value of the time in the IBTA specification's table of RNR NAK timers
 * @since 1.0
 */
public record RnrTimer(int code) {
    private static final long UNIT_NANOS = 10_000;
    private static final int LARGEST_CODE = 31;

    /** The time of each encoded value of the RNR timer, in units of 10 us. */
    private static final int[] TABLE = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    /**
     * Checks the range of the encoded value.
     *
     * @throws IllegalArgumentException if the encoded value is outside 0..31
     */
    public RnrTimer {
        ValueChecks.inRange("rnr timer code", code, 0, LARGEST_CODE, "give a span instead: RnrTimer.atLeast");
    }

    /**
     * Finds the shortest valid RNR timer that is not shorter than a requested duration.
     *
     * @param wanted the requested duration, 0 to 655.36 ms; for 0, the method returns the shortest timer (0.01 ms)
     * @return the shortest RNR timer whose {@link #duration()} is at least {@code wanted}
     * @throws IllegalArgumentException if the duration is negative or exceeds the longest RNR timer
     */
    public static RnrTimer atLeast(Duration wanted) {
        if (!wanted.isNegative()) {
            for (int code = 1; code <= LARGEST_CODE + 1; code++) {
                RnrTimer timer = new RnrTimer(code & LARGEST_CODE);
                if (wanted.compareTo(timer.duration()) <= 0) {
                    return timer;
                }
            }
        }
        throw new IllegalArgumentException(
                "rnr timer is " + wanted + ", legal is PT0S..PT0.65536S; to wait longer allow more retries");
    }

    /**
     * Returns the RNR timer with the given encoded value of the IBTA specification.
     *
     * @param code 0..31; 0 is the longest
     * @return the timer
     * @throws IllegalArgumentException if the encoded value is outside 0..31
     */
    public static RnrTimer ofCode(int code) {
        return new RnrTimer(code);
    }

    /** {@return the time in nanoseconds, 10000..655360000} */
    public long nanos() {
        return TABLE[code] * UNIT_NANOS;
    }

    /** {@return the waiting time after an RNR NAK with this encoded value, 0.01 ms to 655.36 ms} */
    public Duration duration() {
        return Duration.ofNanos(nanos());
    }

    /** {@return the encoded value and the time of the timer, such as {@code 12 (640 us)}} */
    @Override
    public String toString() {
        return code + " (" + ValueChecks.readable(nanos()) + ")";
    }
}
