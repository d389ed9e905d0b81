// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.verbs.PathMtu;

/**
 * The common properties of all queue pairs of a program.
 *
 * @param mtu the path MTU
 * @param firstPsn the first PSN of the first queue pair; those of the others derive from it
 * @param retries the number of retransmissions without progress
 * @param rnrRetries the same for a peer without receives; 7 means unlimited
 * @param readDepth the greatest number of outstanding READs and atomics
 * @param sendDepth slots of a send queue
 * @param oneCq whether sends and receives of a device complete in the same queue
 * @param sharedReceives which of the eligible queue pairs use their device's shared receive queue, one bit each
 * @param guarded whether one queue pair refuses all READs and atomics
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
    /** The greatest number of inline bytes. */
    static final int INLINE = 64;

    private static final int MAX_MESSAGE = 16_385;
    private static final int MAX_PACKETS = 16;

    /** Returns the bytes of the longest message. */
    int maxMessage() {
        return Math.min(MAX_MESSAGE, MAX_PACKETS * mtu.bytes());
    }

    /** Returns the number of packets of a message. */
    int packets(int length) {
        return Math.max(1, Math.ceilDiv(length, mtu.bytes()));
    }

    boolean rnrForever() {
        return rnrRetries == 7;
    }
}
