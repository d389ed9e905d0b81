// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * A snapshot of a peer that has connections or connection attempts.
 *
 * @param nid the NID of the peer
 * @param incarnation the last known incarnation of the peer; 0 if the incarnation is unknown
 * @param connections the number of established connections
 * @param connecting the number of active and passive connection attempts in progress, plus the scheduled reconnects
 * @param waiting the number of messages to the peer that wait for a connection
 */
public record PeerState(Nid nid, long incarnation, int connections, int connecting, int waiting) {}
