package dev.verbena.lnd;

import dev.verbena.lnet.Nid;

/**
 * What a node knows of a peer that it has connections to, or tries to have.
 *
 * @param nid the peer
 * @param incarnation the one that was met last, 0 if none was
 * @param connections connections that are up
 * @param connecting attempts under way, of either side
 * @param waiting messages that wait for a connection
 */
public record PeerState(Nid nid, long incarnation, int connections, int connecting, int waiting) {}
