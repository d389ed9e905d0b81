// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * A node's record of a peer that has connections or connection attempts.
 *
 * @param nid the NID of the peer
 * @param incarnation the last known incarnation of the peer, 0 if it is unknown
 * @param connections the number of established connections
 * @param connecting the number of connection attempts, active and passive, in progress or planned
 * @param waiting the number of messages that wait for a connection
 */
public record PeerState(Nid nid, long incarnation, int connections, int connecting, int waiting) {}
