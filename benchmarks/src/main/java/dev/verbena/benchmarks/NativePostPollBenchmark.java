// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.ibverbs.IbverbsProvider;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures signaled SENDs over the provider {@code ibverbs}, posted and polled as one batch, on a stub device ({@code
 * StubLibrary}). One measured operation posts and polls one batch. The time includes the calls of the native driver.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 2)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NativePostPollBenchmark {
    private static final int BYTES = 64;
    private static final int DEPTH = 64;

    /** The number of SENDs in a batch. */
    @Param({"1", "16"})
    public int list;

    private QueuePair queuePair;
    private CompletionQueue queue;
    private SendRequests requests;
    private WorkCompletions completions;

    @Setup
    public void open() throws VerbsException {
        StubLibrary.compile().load();
        open(StubLibrary.DEVICE, list);
    }

    /** Opens a device of the libibverbs that this process has loaded. */
    void open(String name, int size) throws VerbsException {
        list = size;
        Device device = new IbverbsProvider().open(name);
        ProtectionDomain domain = device.allocatePd();
        MemoryRegion region = domain.registerMemory(device.newArena().allocate(BYTES, BYTES), AccessFlag.LOCAL_WRITE);
        queue = device.createCq(CqInitAttributes.ofCapacity(DEPTH));
        queuePair = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(DEPTH, 1)));
        requests = queuePair.newSendRequests(size);
        for (int i = 0; i < size; i++) {
            requests.get(i).send().id(i).signaled().sge(region, 0, BYTES);
        }
        completions = queue.newCompletions(size);
    }

    /** Posts one batch, polls its completions, and returns the number of successful completions. */
    @Benchmark
    public int postAndPoll() {
        queuePair.postSend(requests, list);
        int count = queue.poll(completions);
        int good = 0;
        for (int i = 0; i < count; i++) {
            if (completions.get(i).isSuccess()) {
                good++;
            }
        }
        return good;
    }
}
