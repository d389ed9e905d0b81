// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

/**
 * A fault of packets in one direction between two devices.
 *
 * @param kind the kind
 * @param link the direction, modulo the number of directions
 * @param packet the packet's index, from 0, in the order of sending
 * @param parameter the bit to invert, the delay, or the number of packets that a partition lasts
 */
record Fault(Kind kind, int link, int packet, int parameter) {
    /** The kind of fault. */
    enum Kind {
        DROP,
        DUPLICATE,
        DELAY,
        CORRUPT,
        /** Several consecutive packets are lost. */
        PARTITION,
        /** Every second packet is lost, for several packets. */
        STUTTER
    }
}
