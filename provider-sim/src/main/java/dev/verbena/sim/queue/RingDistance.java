// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * Padding of one cache line between the fields of producers and those of consumers. The JVM may reorder the fields of
 * one class, but places the fields of a superclass first; therefore the padding has a class of its own.
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
