package dev.verbena.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What is allocated by the thread that begins this, by those of devices and those that help; others of this process, such as those
 * that report, do not count.
 */
final class Allocation {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long[] involved = Thread.getAllStackTraces().keySet().stream()
            .filter(thread ->
                    thread.equals(Thread.currentThread()) || thread.getName().startsWith("verbena-"))
            .mapToLong(Thread::threadId)
            .toArray();
    private final long before = total();

    private long total() {
        long bytes = 0;
        for (long id : involved) {
            bytes += threads.getThreadAllocatedBytes(id);
        }
        return bytes;
    }

    /** Bytes since this was made. */
    long bytes() {
        return total() - before;
    }
}
