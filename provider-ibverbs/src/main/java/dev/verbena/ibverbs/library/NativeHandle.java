// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/**
 * A pointer to a C structure of libibverbs or librdmacm. The superclass {@link UseGuard} prevents threads from using
 * the C structure after its destruction.
 */
public final class NativeHandle extends UseGuard {
    private final MemorySegment pointer;
    private final long address;

    @FunctionalInterface
    public interface Destruction {
        void destroy(MemorySegment pointer) throws VerbsException;
    }

    public NativeHandle(String name, MemorySegment pointer) {
        super(name);
        this.pointer = pointer;
        address = pointer.address();
    }

    /**
     * Returns the pointer to the C structure, but does not prevent the destruction of the structure. If the caller
     * accesses fields that are not constant, the caller itself must prevent the destruction of the structure.
     */
    public MemorySegment pointer() {
        return pointer;
    }

    /** Returns the address of the C structure; call this only between {@link #begin} and {@link #done}. */
    public long address() {
        return address;
    }

    /**
     * Returns the pointer to the C structure, which is not destroyed before the caller calls {@link #exit}. Throws
     * {@link IllegalStateException} if the structure was destroyed.
     */
    public MemorySegment enter() {
        requireEnter();
        return pointer;
    }

    /** Destroys the object like {@link UseGuard#end}. */
    public boolean close(Destruction destruction) throws VerbsException {
        return end(() -> destruction.destroy(pointer));
    }
}
