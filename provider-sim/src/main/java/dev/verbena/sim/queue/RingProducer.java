// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.CacheLinePadded;

/**
 * The {@link Ring} fields that mainly producers access. The cache line of these fields precedes the cache line of the
 * consumers' fields.
 */
abstract class RingProducer extends CacheLinePadded {
    int producer;
    /**
     * The value of the consumers' index when a producer last read this index. A producer reads the index again when the
     * ring seems full.
     */
    int consumerSeen;

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
