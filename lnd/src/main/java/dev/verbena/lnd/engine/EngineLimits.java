// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/**
 * Numbers a connection lives by.
 *
 * @param queueDepth negotiated messages in flight each way, 1 to 255
 * @param highWater owed credits that make a NOOP due, 1 or more
 * @param concurrentSends SENDs posted and not completed, at most
 * @param timeoutNanos how long a message may take
 * @param keepaliveNanos idle time after which a NOOP is due; 0 for never
 */
public record EngineLimits(int queueDepth, int highWater, int concurrentSends, long timeoutNanos, long keepaliveNanos) {

    /**
     * The owed credits that make a NOOP due, in proportion when the depth was negotiated down.
     *
     * @param queueDepth the negotiated depth
     * @param peerCreditsHiw the configured mark
     * @param peerCredits the configured depth
     * @return at least 1
     */
    public static int highWater(int queueDepth, int peerCreditsHiw, int peerCredits) {
        return Math.max(1, queueDepth * peerCreditsHiw / peerCredits);
    }
}
