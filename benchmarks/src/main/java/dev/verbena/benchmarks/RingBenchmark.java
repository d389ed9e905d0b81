package dev.verbena.benchmarks;

import dev.verbena.sim.queue.Ring;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** An entry through the indices of a work queue, in one thread: a look for room, filled, a look for an entry, and given back. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RingBenchmark {
    private static final int ENTRIES = 63;

    private final Ring ring = new Ring(ENTRIES);

    /**
     * Does it once.
     *
     * @return the slot that was used
     */
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
