// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.CacheLinePadded;

/**
 * The {@link Ring} fields that mainly producers access. The cache line of the producers' fields precedes the cache line
 * of the consumers' fields.
 */
abstract class RingProducer extends CacheLinePadded {
    int producer;
    /** The producers' copy of the ring's consumer index. If the copy indicates a full ring, a producer updates the copy. */
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
