package dev.verbena.ibverbs;

import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** A pointer to an object of the library, guarded. */
final class NativeHandle extends UseGuard {
    private final MemorySegment pointer;
    private final long address;

    /** The call that destroys the object. */
    @FunctionalInterface
    interface Destruction {
        void destroy(MemorySegment pointer) throws VerbsException;
    }

    NativeHandle(String name, MemorySegment pointer) {
        super(name);
        this.pointer = pointer;
        address = pointer.address();
    }

    /**
     * Returns the pointer without the guard: for reading constant fields, and for passing the object to other calls.
     */
    MemorySegment pointer() {
        return pointer;
    }

    /** Returns the address of the object, for a call between {@link #begin} and {@link #done}. */
    long address() {
        return address;
    }

    /**
     * Takes the pointer into use.
     *
     * @throws IllegalStateException if the object is closed
     */
    MemorySegment enter() {
        requireEnter();
        return pointer;
    }

    /** As {@link UseGuard#end}. */
    boolean close(Destruction destruction) throws VerbsException {
        return end(() -> destruction.destroy(pointer));
    }
}
