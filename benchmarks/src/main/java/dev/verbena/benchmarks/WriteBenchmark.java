// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures an RDMA WRITE of 1 MiB at path MTU 4096 between two devices of this process, from the post to the completion. An
 * RDMA WRITE copies its data at least once, so it cannot be faster than the copy that {@link CopyBenchmark} measures.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class WriteBenchmark {
    /** The length of one RDMA WRITE, in bytes. */
    static final int BYTES = 1 << 20;

    private Link link;
    private SendRequests write;

    @Setup
    public void connect() throws VerbsException {
        link = new Link(BYTES);
        write = link.left.queuePair.newSendRequests(1);
        MemoryRegion target = link.right.region;
        write.get(0).rdmaWrite(target.address(), target.rkey()).signaled().sge(link.left.region, 0, BYTES);
    }

    /** Closes the devices. This method has no {@code @TearDown}, because JMH counts the allocations of such methods. */
    public void close() {
        link.close();
    }

    /** Posts one RDMA WRITE and awaits its completion. Returns the result of {@code postSend}. */
    @Benchmark
    public int write() {
        int taken = link.left.queuePair.postSend(write, 1);
        link.left.awaitSend();
        return taken;
    }
}
