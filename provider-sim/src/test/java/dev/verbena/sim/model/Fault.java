package dev.verbena.sim.model;

/**
 * Something that befalls packets of one direction between two devices.
 *
 * @param kind what
 * @param link which direction, modulo the number of directions
 * @param packet which packet, counted from 0 in the order in which they were sent
 * @param parameter the bit to invert, by how long to delay, how many packets a partition lasts
 */
record Fault(Kind kind, int link, int packet, int parameter) {
    /** What befalls the packet. */
    enum Kind {
        DROP,
        DUPLICATE,
        DELAY,
        CORRUPT,
        /** All packets are lost for a while. */
        PARTITION,
        /** Every second packet is lost for a while. */
        STUTTER
    }
}
