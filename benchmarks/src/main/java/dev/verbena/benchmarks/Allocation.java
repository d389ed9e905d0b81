// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * The number of bytes allocated by the thread that created this object, the devices' threads, and the {@link Helper}
 * threads. Allocations of other threads of this process, such as threads that print results, are not counted.
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

    /** Returns the number of bytes that the counted threads have allocated since the creation of this object. */
    long bytes() {
        return total() - before;
    }
}
