package dev.verbena.sim.profile;

import java.time.Duration;

/**
 * What registering memory costs: what {@code ulimit -l} (RLIMIT_MEMLOCK) allows, and how long it takes. Regions of {@link
 * dev.verbena.verbs.ProtectionDomain#registerMemory} count; mapping pages by fast registration or FMR does not.
 *
 * @param maxBytes how many bytes all regions of the device may cover at once, at least 0
 * @param timePerCall what each registration takes, in the time of the device's runtime
 * @param timePerMebibyte what each begun mebibyte adds
 */
public record Pinning(long maxBytes, Duration timePerCall, Duration timePerMebibyte) {
    /** As much as there is, in no time. */
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
     * @return what that costs
     */
    public static Pinning atMost(long maxBytes) {
        return new Pinning(maxBytes, Duration.ZERO, Duration.ZERO);
    }

    /**
     * Returns how long a registration takes.
     *
     * @param bytes how many bytes
     * @return the time
     */
    public Duration time(long bytes) {
        return timePerCall.plus(timePerMebibyte.multipliedBy(Math.ceilDiv(bytes, MEBIBYTE)));
    }
}
