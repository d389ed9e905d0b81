package dev.verbena.sim.profile;

/**
 * How far the requester of a reliable connection may be ahead of what is acknowledged. After a loss everything behind the lost
 * packet is sent again, so on a bad link a narrow window wastes less: each loss halves it, and each window that is acknowledged
 * whole opens it by one packet.
 *
 * @param packets the widest it gets, 1 to 4,194,304 PSNs; what every connection begins with
 * @param leastPackets the narrowest it gets, 1 to {@code packets}
 */
public record SendWindow(int packets, int leastPackets) {
    private static final int MAX_PACKETS = 1 << 22;

    /** Soft-RoCE's: 128 PSNs ({@code RXE_MAX_UNACKED_PSNS}) whatever is lost. */
    public static final SendWindow FIXED = new SendWindow(128, 128);

    /** As wide as Soft-RoCE's where nothing is lost, and down to 8 PSNs where much is. */
    public static final SendWindow ADAPTIVE = new SendWindow(128, 8);

    /** Checks the ranges. */
    public SendWindow {
        if (packets < 1 || packets > MAX_PACKETS || leastPackets < 1 || leastPackets > packets) {
            throw new IllegalArgumentException("a window of " + leastPackets + " to " + packets
                    + " packets; it must be 1 to " + MAX_PACKETS + ", and not wider at its narrowest");
        }
    }
}
