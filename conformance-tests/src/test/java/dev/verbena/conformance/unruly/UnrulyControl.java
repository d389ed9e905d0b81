// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.ibverbs.library.CFunction;
import dev.verbena.ibverbs.library.FunctionBinder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The functions of the library that let calls fail and count objects, in a JVM that has loaded it. */
final class UnrulyControl {
    private static final int MOST_TEXT = 64;

    /** The names of {@code enum live}. */
    private static final List<String> KINDS = List.of(
            "contexts",
            "domains",
            "regions",
            "windows",
            "completion channels",
            "completion queues",
            "queue pairs",
            "shared receive queues",
            "address handles",
            "device lists",
            "event channels",
            "ids",
            "events of ids");

    private interface Functions {
        @CFunction("unruly_fail")
        void fail(long call, int errno);

        @CFunction("unruly_remove_at")
        void removeAt(long call);

        @CFunction("unruly_remove")
        void remove();

        @CFunction("unruly_return")
        void restore();

        @CFunction("unruly_fault")
        void fault(int number);

        @CFunction("unruly_block")
        void block(MemorySegment verb);

        @CFunction("unruly_hold")
        void hold(MemorySegment verb, int millis);

        @CFunction("unruly_blocked")
        int blocked(int millis);

        @CFunction("unruly_unblock")
        void unblock();

        @CFunction("unruly_failed")
        MemorySegment failed();

        @CFunction("unruly_live")
        int live(int kind);
    }

    private final Functions functions;

    @SuppressWarnings("restricted") // The library is that of the test.
    UnrulyControl() {
        SymbolLookup symbols = SymbolLookup.libraryLookup("libibverbs.so.1", Arena.global());
        functions = FunctionBinder.bind(Functions.class, symbols::find);
    }

    /** Lets the n-th call from now on fail; with 0 no call fails. */
    void fail(long call, int errno) {
        functions.fail(call, errno);
    }

    /** Removes the device at the n-th call from now on: this call and all later calls fail with EIO. */
    void removeAt(long call) {
        functions.removeAt(call);
    }

    void remove() {
        functions.remove();
    }

    /** Gives the device the {@link Fault} of a number; 0 for none. */
    void fault(int number) {
        functions.fault(number);
    }

    /** Lets the next call of a verb block until {@link #unblock}. */
    void block(String verb) {
        try (Arena arena = Arena.ofConfined()) {
            functions.block(arena.allocateFrom(verb));
        }
    }

    /** Lets the next call of a verb hold the lock of the library for the given time. */
    void hold(String verb, int millis) {
        try (Arena arena = Arena.ofConfined()) {
            functions.hold(arena.allocateFrom(verb), millis);
        }
    }

    /** Waits until a call is blocked. Returns false if no call is blocked within the time. */
    boolean awaitBlocked(Duration time) {
        return functions.blocked((int) time.toMillis()) != 0;
    }

    void unblock() {
        functions.unblock();
    }

    /** Adds a new device of the same name in place of a removed one. */
    void restore() {
        functions.restore();
    }

    /** Returns the verb that failed, or an empty text. */
    @SuppressWarnings("restricted") // The size is that of the array in order.c.
    String failed() {
        return functions.failed().reinterpret(MOST_TEXT).getString(0);
    }

    /** Returns the kinds of objects that exist in the library, with their numbers. */
    Map<String, Integer> live() {
        Map<String, Integer> live = new LinkedHashMap<>();
        for (int kind = 0; kind < KINDS.size(); kind++) {
            int count = functions.live(kind);
            if (count != 0) {
                live.put(KINDS.get(kind), count);
            }
        }
        return live;
    }
}
