// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.sim.queue.WorkQueue;
import org.openjdk.jmh.annotations.Benchmark;

/** Advances the producer index and then the consumer index of a work queue by one entry, in one thread. */
public class RingBenchmark extends Piece {
    private static final int ENTRIES = 63;

    private final WorkQueue ring = new WorkQueue(ENTRIES, Long.BYTES);

    /** Adds one entry to a work queue's {@code Ring} and removes it; returns the earlier producer index. */
    @Benchmark
    public int throughTheRing() {
        int slot = ring.producer();
        if (!ring.isFull()) {
            ring.produce();
        }
        if (!ring.isEmpty()) {
            ring.consume();
        }
        return slot;
    }
}
