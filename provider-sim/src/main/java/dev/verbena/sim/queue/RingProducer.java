// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.CacheLinePadded;

/** The fields that the producers of a {@link Ring} use and mostly write, a cache line before those of the consumers. */
abstract class RingProducer extends CacheLinePadded {
    int producer;
    /** The consumers' index when the producers last read it. They read it again when the ring seems to be full. */
    int consumerSeen;
    /** The lock of the producers. */
    int producerLock;

    final int slotSize;
    int producerMask;
    Slots producerSlots;

    RingProducer(Slots slots, int mask, int slotSize) {
        producerSlots = slots;
        producerMask = mask;
        this.slotSize = slotSize;
    }
}
