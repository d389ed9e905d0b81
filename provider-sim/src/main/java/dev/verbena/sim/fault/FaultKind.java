// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

/** The kinds of faults on links; the fabric counts the faults of each kind. */
public enum FaultKind {
    /** The packet was dropped. */
    DROP,
    /** The packet was sent again. Each extra copy counts. */
    DUPLICATE,
    /** The packet was delayed. */
    DELAY,
    /** One of the packet's bits was inverted. */
    CORRUPT,
    /** The end of the packet was cut off. */
    TRUNCATE,
    /** A fault rule held the packet back. If a packet is held back again, {@code HOLD} is counted again. */
    HOLD
}
