package dev.verbena.sim.model;

import dev.verbena.verbs.PathMtu;

/**
 * What all queue pairs of a program have in common.
 *
 * @param mtu the path MTU
 * @param firstPsn the first PSN of the first queue pair; the others' follow from it
 * @param retries how often a packet is sent again without progress
 * @param rnrRetries the same for a peer without receives; 7 is for ever
 * @param readDepth READs and atomics under way at once
 * @param sendDepth slots of a send queue
 * @param oneCq whether sends and receives of a device complete in the same queue
 * @param sharedReceives which of the queue pairs that may do so take receives from their device's shared queue, one bit each
 * @param guarded whether one queue pair refuses READs and atomics altogether
 */
record Setting(
        PathMtu mtu,
        int firstPsn,
        int retries,
        int rnrRetries,
        int readDepth,
        int sendDepth,
        boolean oneCq,
        int sharedReceives,
        boolean guarded) {
    /** Bytes that go inline at most. */
    static final int INLINE = 64;

    private static final int MAX_MESSAGE = 16_385;
    private static final int MAX_PACKETS = 16;

    /** Bytes of the longest message. */
    int maxMessage() {
        return Math.min(MAX_MESSAGE, MAX_PACKETS * mtu.bytes());
    }

    /** How many packets carry so many bytes. */
    int packets(int length) {
        return Math.max(1, Math.ceilDiv(length, mtu.bytes()));
    }

    boolean rnrForever() {
        return rnrRetries == 7;
    }
}
