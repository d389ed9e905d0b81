// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import java.time.Duration;

/**
 * The properties of a simulated link between two ports. Latency and rate apply only in virtual time. In wall-clock time,
 * the call that sends a packet also calls the destination port's {@link PacketReceiver}, without a delay.
 *
 * @param latency the time from the end of a packet's transmission to its arrival, not negative
 * @param bytesPerSecond the rate of the link in bytes per second, at least 1; only the bytes of IP datagrams count
 * @param mtu the longest IP datagram in bytes, 576 to 65535; longer datagrams are dropped, as with "don't fragment"
 */
public record LinkProperties(Duration latency, long bytesPerSecond, int mtu) {
    /**
     * A link of 100 Gb/s with a latency of one microsecond. The MTU of 4200 bytes permits the path MTU 4096 (see
     * {@code eth_mtu_int_to_enum} in Linux's {@code rxe_param.h}).
     */
    public static final LinkProperties DEFAULT = new LinkProperties(Duration.ofNanos(1000), 12_500_000_000L, 4200);

    private static final int MIN_MTU = 576;
    private static final int MAX_MTU = 65_535;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Checks that latency, rate and MTU are within their ranges. */
    public LinkProperties {
        if (latency.isNegative()) {
            throw new IllegalArgumentException("the latency of a link cannot be negative: " + latency);
        }
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("a link must carry at least 1 byte per second, not " + bytesPerSecond);
        }
        if (mtu < MIN_MTU || mtu > MAX_MTU) {
            throw new IllegalArgumentException("mtu " + mtu + " is not in " + MIN_MTU + ".." + MAX_MTU);
        }
    }

    /**
     * {@return the transmission time of a datagram on the link in nanoseconds, rounded up}
     *
     * @param length the length of the datagram in bytes
     */
    public long serializationNanos(int length) {
        return Math.ceilDiv(length * NANOS_PER_SECOND, bytesPerSecond);
    }
}
