// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/**
 * The negotiated and configured limits of a connection.
 *
 * @param highWater the number of owed credits at which a NOOP is due, 1 or more
 * @param concurrentSends the most SENDs that are posted and not completed
 * @param keepaliveNanos the idle time after which a NOOP is due; 0 for never
 */
public record EngineLimits(int queueDepth, int highWater, int concurrentSends, long timeoutNanos, long keepaliveNanos) {

    /** Scales {@code peerCreditsHiw} down to the negotiated queue depth. */
    public static int highWater(int queueDepth, int peerCreditsHiw, int peerCredits) {
        return Math.max(1, queueDepth * peerCreditsHiw / peerCredits);
    }
}
