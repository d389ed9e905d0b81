// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.lnd.O2ibStatistics;
import dev.verbena.lnd.O2ibStatistics.ConnectionStatistics;

/**
 * The sums of the ko2iblnd credits over all connections of one node.
 *
 * @param depth the number of receive buffers that peers posted for this node
 * @param held the number of messages that this node may send before peers return credits
 * @param owed the number of credits that this node must still return to its peers, one for each free receive buffer
 * @param reserved the number of receive buffers that this node can still reserve for responses of its peers
 * @param pending the number of messages that this node has queued or in flight
 */
record Credits(int depth, int held, int owed, int reserved, int pending) {

    static Credits of(O2ibStatistics node) {
        int depth = 0;
        int held = 0;
        int owed = 0;
        int reserved = 0;
        int pending = 0;
        for (ConnectionStatistics connection : node.connections()) {
            depth += connection.queueDepth();
            held += connection.credits();
            owed += connection.owed();
            reserved += connection.reserved();
            pending += connection.pending();
        }
        return new Credits(depth, held, owed, reserved, pending);
    }

    /** Two nodes are quiescent if no message is queued or in flight and each credit is available or due to be returned. */
    static boolean atRest(O2ibStatistics one, O2ibStatistics other) {
        Credits a = of(one);
        Credits b = of(other);
        return a.isComplete(b) && b.isComplete(a);
    }

    private boolean isComplete(Credits peer) {
        return pending == 0 && reserved == depth && held + peer.owed == depth;
    }
}
