// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

/** The kinds of faults of a packet, for counting. */
public enum FaultKind {
    /** The packet was dropped. */
    DROP,
    /** The packet was sent again; each extra copy counts. */
    DUPLICATE,
    /** The packet was delayed. */
    DELAY,
    /** One of the packet's bits was inverted. */
    CORRUPT,
    /** The packet's end was cut off. */
    TRUNCATE,
    /** The packet was held on its link; counts again each time the packet is judged again and held. */
    HOLD
}
