// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/**
 * The state of a connection: the states of InfiniBand Architecture Specification volume 1, section 12.9, that are
 * needed to connect, accept, reject and disconnect.
 */
public enum CmState {
    /** Not yet, or no longer, a connection; messages of the peer are not assigned to it. */
    IDLE,
    /** The REQ was sent and is repeated. */
    REQ_SENT,
    /** A REQ was received and waits for the user's answer. */
    REQ_RCVD,
    /** The REP was sent and is repeated. */
    REP_SENT,
    /** The REP was received; the queue pair must be ready before the RTU is sent. */
    REP_RCVD,
    /** Both sides may send. */
    ESTABLISHED,
    /** The DREQ was sent and is repeated. */
    DREQ_SENT,
    /** The peer's DREQ was received and waits for the user's answer. */
    DREQ_RCVD,
    /** Disconnected; the numbers stay reserved until no packet of the connection can be in flight. */
    TIMEWAIT
}
