// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.lnd.O2ibStatistics;
import dev.verbena.lnd.O2ibStatistics.ConnectionStatistics;

/**
 * The credits of one node, over all of its connections.
 *
 * @param depth the number of receive buffers that the peer posted for this node
 * @param held the number of the peer's receive buffers that this node may fill
 * @param owed the number of free buffers of this node whose credits were not returned to the peer yet
 * @param reserved the number of responses that the node may still request
 * @param pending the number of messages that are queued or in flight
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

    /** Returns whether no message is in flight between two nodes, and each credit is held or about to be returned. */
    static boolean atRest(O2ibStatistics one, O2ibStatistics other) {
        Credits a = of(one);
        Credits b = of(other);
        return a.isComplete(b) && b.isComplete(a);
    }

    private boolean isComplete(Credits peer) {
        return pending == 0 && reserved == depth && held + peer.owed == depth;
    }
}
