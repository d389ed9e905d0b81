// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.NativeObject;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.RdmaCmId;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A {@code struct rdma_cm_id}, which cannot be destroyed before the application has acknowledged its events. */
public final class NativeId extends NativeObject {
    /** The hint how to cure the error of a failed call. A call usually fails because of the connection id's state. */
    static final String STATE = "check its state: bind or resolve it first, and do not repeat a completed step";

    private final CmCalls calls;

    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    NativeId(CmCalls calls, MemorySegment id) {
        super("id 0x" + Long.toHexString(id.address()), id.reinterpret(RdmaCmId.LAYOUT.byteSize()));
        this.calls = calls;
    }

    CmCalls calls() {
        return calls;
    }

    @FunctionalInterface
    interface Reading<T> {
        T of(MemorySegment id);
    }

    <T> T read(Reading<T> reading) {
        MemorySegment id = handle().enter();
        try {
            return reading.of(id);
        } finally {
            handle().exit();
        }
    }

    /** A call with the connection id, and with memory that is freed after the call. */
    @FunctionalInterface
    interface Step {
        long make(MemorySegment callState, MemorySegment id, Arena arena);
    }

    void step(String verb, Step step) throws VerbsException {
        make(verb, step, Outcome::check);
    }

    /**
     * Calls a function that undoes an earlier call on this connection id, such as leaving a multicast group. EIO counts as
     * success, because EIO means that the device and its kernel objects are gone.
     */
    void end(String verb, Step step) throws VerbsException {
        make(verb, step, Outcome::destroy);
    }

    private interface Check {
        void of(String verb, String asked, String cure, Outcome.Call call) throws VerbsException;
    }

    private void make(String verb, Step step, Check check) throws VerbsException {
        MemorySegment id = handle().enter();
        try (Arena arena = Arena.ofConfined()) {
            check.of(verb, verb + " of " + this, STATE, callState -> step.make(callState, id, arena));
        } finally {
            handle().exit();
        }
    }
}
