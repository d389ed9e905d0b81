// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Copies bytes, for comparison with an RDMA WRITE of the same length. No RDMA WRITE is faster than a plain copy. */
final class CopyTimed implements Timed {
    private static final int OPERATIONS = 16;
    private static final int PAGE = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment source;
    private final MemorySegment target;

    CopyTimed(long bytes) {
        source = arena.allocate(bytes, PAGE).fill((byte) 1);
        target = arena.allocate(bytes, PAGE);
    }

    @Override
    public int run() {
        for (int i = 0; i < OPERATIONS; i++) {
            MemorySegment.copy(source, 0, target, 0, source.byteSize());
        }
        return OPERATIONS;
    }

    @Override
    public void close() {
        arena.close();
    }
}
