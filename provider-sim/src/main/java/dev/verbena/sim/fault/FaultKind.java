// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

/** The types of faults on links; {@link FaultyFabric} counts the faults of each type. */
public enum FaultKind {
    /** The packet was dropped. */
    DROP,
    /** The packet was sent again. Each extra copy of a packet increments the counter {@code DUPLICATE}. */
    DUPLICATE,
    /** The packet was delayed. */
    DELAY,
    /** One of the packet's bits was inverted. */
    CORRUPT,
    /** The end of the packet was cut off. */
    TRUNCATE,
    /** A fault rule made the link queue the packet. If a packet is queued again, {@code HOLD} is counted again. */
    HOLD
}
