// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** A guarded pointer to a C structure of libibverbs or librdmacm. */
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

    /** Returns the pointer without entering the guard, for constant fields and as an argument of other calls. */
    public MemorySegment pointer() {
        return pointer;
    }

    /** Returns the address of the object; call this only between {@link #begin} and {@link #done}. */
    public long address() {
        return address;
    }

    /** Begins a use, and returns the pointer. Throws {@link IllegalStateException} if the object is closed. */
    public MemorySegment enter() {
        requireEnter();
        return pointer;
    }

    /** Destroys the object like {@link UseGuard#end}. */
    public boolean close(Destruction destruction) throws VerbsException {
        return end(() -> destruction.destroy(pointer));
    }
}
