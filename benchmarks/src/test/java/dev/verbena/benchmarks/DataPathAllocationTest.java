package dev.verbena.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.VerbsException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No operation of the data path allocates, also where other operations have run in the same process before. What the compiler
 * has not got to yet may allocate a little, so the best of several rounds counts; and a round is long, since on a busy machine
 * it meets some bytes now and then that belong to no operation, such as those of waiting for a lock.
 */
class DataPathAllocationTest {
    private static final int ROUNDS = 12;
    private static final int OPERATIONS = 25_000;
    private static final double LIMIT = 0.01;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @EnumSource
    void nothingIsAllocatedBy(Operation operation) throws VerbsException {
        try (Work work = operation.prepare(64)) {
            double least = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least > LIMIT; round++) {
                long before = threads.getTotalThreadAllocatedBytes();
                for (int i = 0; i < OPERATIONS; i++) {
                    work.run();
                }
                long bytes = threads.getTotalThreadAllocatedBytes() - before;
                least = Math.min(least, (double) bytes / OPERATIONS);
            }
            assertThat(least).as("bytes for each " + operation).isLessThanOrEqualTo(LIMIT);
        }
    }
}
