// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/**
 * The maximum and minimum size of the send window of a reliable connection. The window size is the maximum number of PSNs
 * by which the last sent packet may be ahead of the oldest unacknowledged packet. After a loss, the requester retransmits
 * the lost packet and all later packets. With a small send window, a packet loss causes fewer retransmissions. Each packet
 * loss halves the window size. Whenever the peer has acknowledged a whole send window of packets, the window size increases
 * by one packet.
 *
 * @param packets the maximum and initial number of PSNs in the send window of each connection, 1 to 4,194,304
 * @param leastPackets the minimum number of PSNs in the send window of each connection, 1 to the maximum
 */
public record SendWindow(int packets, int leastPackets) {
    private static final int MAX_PACKETS = 1 << 22;

    /** Soft-RoCE's send window: always 128 PSNs ({@code RXE_MAX_UNACKED_PSNS}). Packet losses do not reduce its size. */
    public static final SendWindow FIXED = new SendWindow(128, 128);

    /** A send window of 128 PSNs, as in Soft-RoCE. Each packet loss halves the send window, to no less than 8 PSNs. */
    public static final SendWindow ADAPTIVE = new SendWindow(128, 8);

    /** Checks that {@code 1 <= leastPackets <= packets <= MAX_PACKETS}. */
    public SendWindow {
        if (packets < 1 || packets > MAX_PACKETS || leastPackets < 1 || leastPackets > packets) {
            throw new IllegalArgumentException("a window of " + leastPackets + " to " + packets
                    + " packets; it must be 1 to " + MAX_PACKETS + ", and its minimum must not exceed its maximum");
        }
    }
}
