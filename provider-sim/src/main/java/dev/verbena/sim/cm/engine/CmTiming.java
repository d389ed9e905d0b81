// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** The times of connection management in the Linux kernel's ib_cm and rdma_cm. */
public final class CmTiming {
    /** The response time of either side, as exponent: {@code CMA_CM_RESPONSE_TIMEOUT}. */
    static final int RESPONSE_TIMEOUT = 20;

    /** The number of repetitions of a message after its first try: {@code CMA_MAX_CM_RETRIES}. */
    static final int MAX_RETRIES = 15;

    /** The ACK timeout of a path, as exponent: one more than {@code CMA_IBOE_PACKET_LIFETIME}. */
    public static final int ACK_TIMEOUT = 17;

    /** The time that a user may take to answer, as exponent: {@code CMA_CM_MRA_SETTING}. */
    static final int SERVICE_TIMEOUT = 24;

    /**
     * The longest time that a peer can impose, as exponent: about a minute. Without this limit a peer could impose
     * hours.
     */
    private static final int LONGEST = 24;

    /**
     * The longest wait of a passive side for the RTU, without an MRA. Without this limit a peer's times could make it
     * hours.
     */
    static final long MOST_NANOS_FOR_READY_TO_USE = 2 * nanos(LONGEST);

    private static final int EXPONENT_OF_ONE_MILLISECOND = 8;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private CmTiming() {}

    /**
     * Converts 4.096 us * 2^exponent as the kernel does: to a power of two of milliseconds, at least one.
     *
     * @param exponent 0 to 31
     * @return nanoseconds, at most those of exponent 24
     */
    static long nanos(int exponent) {
        int shift = Math.clamp(exponent, EXPONENT_OF_ONE_MILLISECOND, LONGEST) - EXPONENT_OF_ONE_MILLISECOND;
        return NANOS_PER_MILLI << shift;
    }
}
