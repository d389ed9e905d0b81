package dev.verbena.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.VerbsException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No operation of the data path allocates, also where other operations have run in the same process before. What the compiler
 * has not got to yet may allocate a little, so the best of several rounds counts.
 */
class DataPathAllocationTest {
    private static final int ROUNDS = 25;
    private static final int OPERATIONS = 4_000;
    private static final double LIMIT = 0.01;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @EnumSource
    void nothingIsAllocatedBy(Operation operation) throws VerbsException {
        try (Work work = operation.prepare(64)) {
            long[] involved = involved();
            double least = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least > LIMIT; round++) {
                long before = allocated(involved);
                for (int i = 0; i < OPERATIONS; i++) {
                    work.run();
                }
                long bytes = allocated(involved) - before;
                least = Math.min(least, (double) bytes / OPERATIONS);
            }
            assertThat(least).as("bytes for each " + operation).isLessThanOrEqualTo(LIMIT);
        }
    }

    /** The thread that posts and those of the devices; others of this process, such as those that report, do not count. */
    private static long[] involved() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.equals(Thread.currentThread())
                        || thread.getName().startsWith("verbena-"))
                .mapToLong(Thread::threadId)
                .toArray();
    }

    private long allocated(long[] involved) {
        long bytes = 0;
        for (long id : involved) {
            bytes += threads.getThreadAllocatedBytes(id);
        }
        return bytes;
    }
}
