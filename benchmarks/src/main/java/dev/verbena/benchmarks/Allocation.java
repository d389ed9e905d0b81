// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * The allocation of the thread that creates this, of the devices' threads and of helper threads. Other threads of this
 * process, such as those that report, do not count.
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
