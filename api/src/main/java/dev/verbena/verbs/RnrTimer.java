// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.time.Duration;

/**
 * How long a peer has to wait before it retries a message that found no receive ({@code min_rnr_timer} of
 * {@code ibv_modify_qp}(3); IBTA volume 1, table 45, "encoding for RNR NAK timer field").
 *
 * <p>The codes are not in order: <strong>code 0 is the longest, 655.36 ms</strong>, and both zeroed structures and
 * librdmacm use it. A sender that finds no receive then sends only one and a half messages per second. Choose a span
 * with {@link #atLeast(Duration)}.
 *
 * @param code 0..31, an index of the table
 * @since 1.0
 */
public record RnrTimer(int code) {
    private static final long UNIT_NANOS = 10_000;
    private static final int LARGEST_CODE = 31;

    /** In units of 10 us, by code. */
    private static final int[] TABLE = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    /**
     * Accepts every legal code.
     *
     * @throws IllegalArgumentException if the code is outside 0..31
     */
    public RnrTimer {
        ValueChecks.inRange("rnr timer code", code, 0, LARGEST_CODE, "give a span instead: RnrTimer.atLeast");
    }

    /**
     * The shortest legal span that is not below the given one.
     *
     * @param wanted zero to 655.36 ms; zero gives 0.01 ms, the shortest there is
     * @return a span at least as long
     * @throws IllegalArgumentException if negative or longer than the longest
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
     * The span of a code.
     *
     * @param code 0..31; 0 is the longest
     * @return the span
     * @throws IllegalArgumentException if the code is outside that range
     */
    public static RnrTimer ofCode(int code) {
        return new RnrTimer(code);
    }

    /**
     * The span in nanoseconds.
     *
     * @return 10000..655360000
     */
    public long nanos() {
        return TABLE[code] * UNIT_NANOS;
    }

    /**
     * The span.
     *
     * @return 0.01 ms to 655.36 ms
     */
    public Duration duration() {
        return Duration.ofNanos(nanos());
    }

    /** Prints code and span: {@code 12 (640 us)}. */
    @Override
    public String toString() {
        return code + " (" + ValueChecks.readable(nanos()) + ")";
    }
}
