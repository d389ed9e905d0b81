// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.VerbsException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The way to a driver's functions, over devices that the C compiler makes, where there is one. */
class NativePostPollTest {
    private static final int ROUNDS = 25;
    private static final int OPERATIONS = 4_000;
    private static final double LIMIT = 0.01;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({"stub0, 1", "stub0, 16", "bare0, 1", "bare0, 16"})
    void postedRequestsArePolledAndNothingIsAllocated(String device, int list) throws VerbsException {
        assumeTrue(StubLibrary.isPossible(), "no C compiler, or no headers of libibverbs");
        StubLibrary stub = StubLibrary.compile();
        stub.load();
        NativePostPollBenchmark benchmark = new NativePostPollBenchmark();
        benchmark.open(device, list);
        long self = Thread.currentThread().threadId();
        double least = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least > LIMIT; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < OPERATIONS; i++) {
                if (benchmark.postAndPoll() != list) {
                    throw new AssertionError("what was posted was not completed");
                }
            }
            least = Math.min(least, (double) (threads.getThreadAllocatedBytes(self) - before) / OPERATIONS);
        }
        assertThat(least).as("bytes for each list").isLessThanOrEqualTo(LIMIT);
        assertThat(stub.measure(device, list, 1_000)).isPositive();
    }
}
