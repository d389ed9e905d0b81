// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.sim.queue.WorkQueue;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Passes one entry through the indices of a work queue in one thread: reserve a slot, fill the slot, remove the entry,
 * and release the slot.
 */
public class RingBenchmark extends Piece {
    private static final int ENTRIES = 63;

    private final WorkQueue ring = new WorkQueue(ENTRIES, Long.BYTES);

    /** Passes one entry through the work queue, and returns the entry's slot. */
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
