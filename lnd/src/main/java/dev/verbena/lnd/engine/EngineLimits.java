// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/**
 * The negotiated limits and the configured limits of a connection.
 *
 * @param highWater the number of credits owed to the peer at which a NOOP is due; at least 1
 * @param concurrentSends the maximum number of SENDs that are posted but not completed
 * @param keepaliveNanos the time in nanoseconds after which an idle connection sends a NOOP; 0 for never
 */
public record EngineLimits(int queueDepth, int highWater, int concurrentSends, long timeoutNanos, long keepaliveNanos) {

    /** Scales the limit {@code peerCreditsHiw} down in proportion to the negotiated queue depth. */
    public static int highWater(int queueDepth, int peerCreditsHiw, int peerCredits) {
        return Math.max(1, queueDepth * peerCreditsHiw / peerCredits);
    }
}
