// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * A cache line between the fields that producers write and those that consumers write. A separate class, because the
 * JVM may reorder the fields of one class, but places those of a superclass first.
 */
@SuppressWarnings("UnusedVariable") // The fields are padding.
abstract class RingDistance extends RingProducer {
    private long between1;
    private long between2;
    private long between3;
    private long between4;
    private long between5;
    private long between6;
    private long between7;

    RingDistance(Slots slots, int mask, int slotSize) {
        super(slots, mask, slotSize);
    }
}
