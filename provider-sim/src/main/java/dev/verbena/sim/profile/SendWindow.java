// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/**
 * The width of the send window: how far the requester of a reliable connection may be ahead of the acknowledged
 * packets. After a loss every packet from the lost one on is retransmitted, so on a bad link a narrow window wastes
 * less. Each loss halves the window, and each completely acknowledged window widens it by one packet.
 *
 * @param packets the greatest width, 1 to 4,194,304 PSNs; the initial width of every connection
 * @param leastPackets the smallest width, 1 to {@code packets}
 */
public record SendWindow(int packets, int leastPackets) {
    private static final int MAX_PACKETS = 1 << 22;

    /** Soft-RoCE's window: 128 PSNs ({@code RXE_MAX_UNACKED_PSNS}) regardless of losses. */
    public static final SendWindow FIXED = new SendWindow(128, 128);

    /** As wide as Soft-RoCE's without losses, and down to 8 PSNs after many. */
    public static final SendWindow ADAPTIVE = new SendWindow(128, 8);

    /** Checks the ranges. */
    public SendWindow {
        if (packets < 1 || packets > MAX_PACKETS || leastPackets < 1 || leastPackets > packets) {
            throw new IllegalArgumentException("a window of " + leastPackets + " to " + packets
                    + " packets; it must be 1 to " + MAX_PACKETS + ", and not wider at its narrowest");
        }
    }
}
