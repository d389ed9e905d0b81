// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.VerbsArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory between two guard areas, which contain a pattern. */
final class LocalMemory implements AutoCloseable {
    private static final byte UNTOUCHED = 0x5A;

    private final VerbsArena arena;
    private final MemorySegment allocation;

    LocalMemory(VerbsArena arena, long bytes) {
        this.arena = arena;
        allocation = arena.allocatePages(Step.Allocate.GUARD + bytes + Step.Allocate.GUARD);
        allocation.fill(UNTOUCHED);
    }

    MemorySegment part(long offset, long length) {
        return allocation.asSlice(Step.Allocate.GUARD + offset, length);
    }

    Reply write(long offset, byte[] bytes) {
        MemorySegment.copy(bytes, 0, allocation, ValueLayout.JAVA_BYTE, Step.Allocate.GUARD + offset, bytes.length);
        return new Reply.Done();
    }

    Reply read(long offset, long length) {
        return new Reply.Bytes(part(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void close() {
        arena.close();
    }
}
