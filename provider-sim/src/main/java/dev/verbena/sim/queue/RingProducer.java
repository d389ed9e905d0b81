package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.OwnLine;

/** What the producers of a {@link Ring} write: a cache line before what its consumers write. */
abstract class RingProducer extends OwnLine {
    int producer;
    /** What the producers saw of the consumer's index: they look again when the ring seems to be full. */
    int consumerSeen;

    RingProducer() {}
}
