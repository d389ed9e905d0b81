// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

import java.time.Duration;

/**
 * The duration of a memory registration, and the limit of registered memory. Like RLIMIT_MEMLOCK ({@code ulimit -l}),
 * the limit counts regions of {@link dev.verbena.verbs.ProtectionDomain#registerMemory}, but not pages mapped by fast
 * registration or FMR.
 *
 * @param maxBytes the maximum number of bytes that all regions of the device together may cover, at least 0
 * @param timePerCall the duration of each memory registration, by the clock of the device's {@code SimRuntime}
 * @param timePerMebibyte the additional duration of a registration for each mebibyte, or part of a mebibyte, of the region
 */
public record Pinning(long maxBytes, Duration timePerCall, Duration timePerMebibyte) {
    /** With {@code FREE}, a device does not limit registered memory, and registration takes no time. */
    public static final Pinning FREE = new Pinning(Long.MAX_VALUE, Duration.ZERO, Duration.ZERO);

    private static final long MEBIBYTE = 1 << 20;

    /** Checks that the limit of registered memory and the registration times are not negative. */
    public Pinning {
        if (maxBytes < 0 || timePerCall.isNegative() || timePerMebibyte.isNegative()) {
            throw new IllegalArgumentException("a limit or a time is negative: " + maxBytes + " bytes, " + timePerCall
                    + " a call, " + timePerMebibyte + " a mebibyte");
        }
    }

    /**
     * {@return a {@code Pinning} that limits the registered memory; the duration of each registration is zero}
     *
     * @param maxBytes the limit; see {@link #maxBytes()}
     */
    public static Pinning atMost(long maxBytes) {
        return new Pinning(maxBytes, Duration.ZERO, Duration.ZERO);
    }

    /**
     * {@return the duration of the registration of a region}
     *
     * @param bytes the length of the region
     */
    public Duration time(long bytes) {
        return timePerCall.plus(timePerMebibyte.multipliedBy(Math.ceilDiv(bytes, MEBIBYTE)));
    }
}
