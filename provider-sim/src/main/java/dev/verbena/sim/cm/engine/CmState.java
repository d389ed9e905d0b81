// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/**
 * The state of a connection (InfiniBand Architecture Specification volume 1, section 12.9). The enum contains only the
 * states needed to connect, accept, reject and disconnect.
 */
public enum CmState {
    /** The connection does not exist yet, or has ended; no message of the peer is assigned to the connection. */
    IDLE,
    REQ_SENT,
    /** A REQ was received, and the application has neither accepted nor rejected it. */
    REQ_RCVD,
    REP_SENT,
    /** The REP was received; the queue pair must be ready before the RTU is sent. */
    REP_RCVD,
    ESTABLISHED,
    DREQ_SENT,
    /** The peer's DREQ was received; {@link CmConnection#disconnect} sends the DREP. */
    DREQ_RCVD,
    /** The connection has ended; its communication IDs and QPNs stay reserved while its packets can be in flight. */
    TIMEWAIT
}
