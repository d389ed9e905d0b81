package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.OwnLine;

/** What the producers of a {@link Ring} need, most of which they write: a cache line before that of its consumers. */
abstract class RingProducer extends OwnLine {
    int producer;
    /** What the producers saw of the consumer's index: they look again when the ring seems to be full. */
    int consumerSeen;
    /** Held by one of several producers. */
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
