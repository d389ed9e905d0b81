// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** Holds the guarded pointer to an object of libibverbs, and the open objects that must be closed before this object. */
public abstract class NativeObject {
    private final NativeHandle handle;
    private final Dependents dependents = new Dependents();

    public NativeObject(String name, MemorySegment pointer) {
        handle = new NativeHandle(name, pointer);
    }

    public final NativeHandle handle() {
        return handle;
    }

    public final Dependents dependents() {
        return dependents;
    }

    /** A call of a library during which the native object stays open. */
    @FunctionalInterface
    public interface Operation<T> {
        T with(MemorySegment pointer) throws VerbsException;
    }

    public final <T> T whileOpen(Operation<T> operation) throws VerbsException {
        MemorySegment pointer = handle.enter();
        try {
            return operation.with(pointer);
        } finally {
            handle.exit();
        }
    }

    @Override
    public final String toString() {
        return handle.toString();
    }
}
