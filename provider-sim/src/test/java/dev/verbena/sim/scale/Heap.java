// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The reachable bytes on the heap. */
final class Heap {
    private static final int COLLECTIONS = 4;
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    private Heap() {}

    static long reachableBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            MEMORY.gc();
            least = Math.min(least, MEMORY.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
