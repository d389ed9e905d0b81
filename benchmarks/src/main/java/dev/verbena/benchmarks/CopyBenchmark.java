// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Copies {@link WriteBenchmark#BYTES} bytes between two off-heap segments, for comparison with an RDMA WRITE. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CopyBenchmark {
    private static final long PAGE = 4096;

    private Arena arena;
    private MemorySegment source;
    private MemorySegment target;

    @Setup
    public void allocate() {
        arena = Arena.ofShared();
        source = arena.allocate(WriteBenchmark.BYTES, PAGE);
        target = arena.allocate(WriteBenchmark.BYTES, PAGE);
    }

    @TearDown
    public void free() {
        arena.close();
    }

    @Benchmark
    public MemorySegment copy() {
        MemorySegment.copy(source, 0, target, 0, WriteBenchmark.BYTES);
        return target;
    }
}
