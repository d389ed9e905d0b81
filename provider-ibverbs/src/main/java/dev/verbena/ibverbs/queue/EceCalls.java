// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvEce;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Queries and sets the {@code struct ibv_ece} of a queue pair or of a connection id. */
public final class EceCalls {
    private static final String CURE = "use rdma-core 31 or newer and a driver with ECE, or connect without options";

    private EceCalls() {}

    @FunctionalInterface
    public interface Call {
        int make(MemorySegment callState, MemorySegment object, MemorySegment ece);
    }

    public static Ece query(String verb, NativeHandle object, Call call) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvEce.LAYOUT);
            make(verb, object, raw, call);
            return new Ece(
                    raw.get(JAVA_INT, IbvEce.VENDOR_ID),
                    raw.get(JAVA_INT, IbvEce.OPTIONS),
                    raw.get(JAVA_INT, IbvEce.COMP_MASK));
        }
    }

    public static void set(String verb, NativeHandle object, Ece options, Call call) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvEce.LAYOUT);
            raw.set(JAVA_INT, IbvEce.VENDOR_ID, options.vendorId());
            raw.set(JAVA_INT, IbvEce.OPTIONS, options.options());
            raw.set(JAVA_INT, IbvEce.COMP_MASK, options.compMask());
            make(verb, object, raw, call);
        }
    }

    private static void make(String verb, NativeHandle object, MemorySegment raw, Call call) throws VerbsException {
        MemorySegment pointer = object.enter();
        try {
            Outcome.check(verb, verb + " of " + object, CURE, callState -> call.make(callState, pointer, raw));
        } catch (UnsupportedOperationException olderLibrary) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, verb, "the library has no " + verb + ", called on " + object + "; " + CURE);
        } finally {
            object.exit();
        }
    }
}
