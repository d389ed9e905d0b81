// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * A node's record of a peer with connections or connection attempts.
 *
 * @param nid the peer
 * @param incarnation the last known incarnation, 0 if none is known
 * @param connections established connections
 * @param connecting attempts in progress, of either side
 * @param waiting messages that wait for a connection
 */
public record PeerState(Nid nid, long incarnation, int connections, int connecting, int waiting) {}
