// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/** The timeouts and the retry limit of connection management, as in the Linux kernel's ib_cm and rdma_cm. */
public final class CmTiming {
    /** The exponent of a peer's response timeout, 4.096 us * 2^exponent ({@code CMA_CM_RESPONSE_TIMEOUT}). */
    static final int RESPONSE_TIMEOUT = 20;

    /** The maximum number of retransmissions of a CM message ({@code CMA_MAX_CM_RETRIES}). */
    static final int MAX_RETRIES = 15;

    /** The exponent of a path's ACK timeout: {@code CMA_IBOE_PACKET_LIFETIME} + 1. */
    public static final int ACK_TIMEOUT = 17;

    /** The exponent of the service timeout in a sent MRA ({@code CMA_CM_MRA_SETTING}). */
    static final int SERVICE_TIMEOUT = 24;

    /**
     * The maximum exponent of a response time. For the exponent 24 the response time is about one minute. An exponent from
     * a peer can mean hours, so {@code nanos} reduces an exponent above {@code LONGEST} to {@code LONGEST}.
     */
    private static final int LONGEST = 24;

    /**
     * The maximum time in nanoseconds that a passive side waits for the RTU if the peer sends no MRA. {@code
     * MOST_NANOS_FOR_READY_TO_USE} limits the number of REPs that the passive side sends.
     */
    static final long MOST_NANOS_FOR_READY_TO_USE = 2 * nanos(LONGEST);

    private static final int EXPONENT_OF_ONE_MILLISECOND = 8;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private CmTiming() {}

    /**
     * Converts 4.096 us * 2^exponent to nanoseconds. As in the kernel, {@code nanos} returns 1 ms times a power of two.
     * An exponent above {@link #LONGEST} returns the same time as {@code LONGEST}.
     */
    static long nanos(int exponent) {
        int shift = Math.clamp(exponent, EXPONENT_OF_ONE_MILLISECOND, LONGEST) - EXPONENT_OF_ONE_MILLISECOND;
        return NANOS_PER_MILLI << shift;
    }
}
