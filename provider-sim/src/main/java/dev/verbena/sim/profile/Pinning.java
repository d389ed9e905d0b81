// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

import java.time.Duration;

/**
 * The limit of memory registration, as {@code ulimit -l} (RLIMIT_MEMLOCK) sets it, and its duration. Regions of {@link
 * dev.verbena.verbs.ProtectionDomain#registerMemory} count; mapping pages by fast registration or FMR does not.
 *
 * @param maxBytes the bytes that all regions of the device may cover at once, at least 0
 * @param timePerCall the duration of each registration, in the time of the device's runtime
 * @param timePerMebibyte the duration that each mebibyte, or part of one, adds
 */
public record Pinning(long maxBytes, Duration timePerCall, Duration timePerMebibyte) {
    /** No limit, and no duration. */
    public static final Pinning FREE = new Pinning(Long.MAX_VALUE, Duration.ZERO, Duration.ZERO);

    private static final long MEBIBYTE = 1 << 20;

    /** Checks the ranges. */
    public Pinning {
        if (maxBytes < 0 || timePerCall.isNegative() || timePerMebibyte.isNegative()) {
            throw new IllegalArgumentException("a limit or a time is negative: " + maxBytes + " bytes, " + timePerCall
                    + " a call, " + timePerMebibyte + " a mebibyte");
        }
    }

    /**
     * Limits the bytes; registering takes no time.
     *
     * @param maxBytes see {@link #maxBytes()}
     * @return the limit
     */
    public static Pinning atMost(long maxBytes) {
        return new Pinning(maxBytes, Duration.ZERO, Duration.ZERO);
    }

    /**
     * Returns the duration of a registration.
     *
     * @param bytes the length of the region
     * @return the duration
     */
    public Duration time(long bytes) {
        return timePerCall.plus(timePerMebibyte.multipliedBy(Math.ceilDiv(bytes, MEBIBYTE)));
    }
}
