// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/**
 * Padding of one cache line. The JVM may reorder the fields of one class, but places the fields of a superclass first. This
 * separate class places the padding between the producer fields and the consumer fields of a {@link Ring}.
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
