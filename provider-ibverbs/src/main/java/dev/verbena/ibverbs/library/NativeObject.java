// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** A libibverbs object with its {@link NativeHandle}. The objects in {@code dependents} must be closed first. */
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

    /** A library call with the pointer to a libibverbs object. No thread destroys the object during the call. */
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
