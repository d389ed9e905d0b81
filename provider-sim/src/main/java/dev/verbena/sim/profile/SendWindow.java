// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/**
 * The width of the send window of a reliable connection. The requester may be at most this number of PSNs ahead of the
 * last acknowledgement. After a loss, the requester retransmits the lost packet and all later packets. On a bad link, a
 * narrow window therefore wastes less bandwidth. Each loss halves the width. Whenever a full window of packets has been
 * acknowledged, the width increases by one packet.
 *
 * @param packets the maximum and initial number of PSNs in the send window of each connection, 1 to 4,194,304
 * @param leastPackets the minimum number of PSNs in the send window of each connection, 1 to the maximum
 */
public record SendWindow(int packets, int leastPackets) {
    private static final int MAX_PACKETS = 1 << 22;

    /** Soft-RoCE's window: always 128 PSNs ({@code RXE_MAX_UNACKED_PSNS}). Losses do not narrow the window. */
    public static final SendWindow FIXED = new SendWindow(128, 128);

    /** A window of 128 PSNs, like Soft-RoCE's. Losses narrow the window, but to no less than 8 PSNs. */
    public static final SendWindow ADAPTIVE = new SendWindow(128, 8);

    /** Checks that the minimum and the maximum width of the send window are within their ranges. */
    public SendWindow {
        if (packets < 1 || packets > MAX_PACKETS || leastPackets < 1 || leastPackets > packets) {
            throw new IllegalArgumentException("a window of " + leastPackets + " to " + packets
                    + " packets; it must be 1 to " + MAX_PACKETS + ", and its minimum must not exceed its maximum");
        }
    }
}
