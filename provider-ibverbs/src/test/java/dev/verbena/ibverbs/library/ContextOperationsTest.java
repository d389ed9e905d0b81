// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.ibverbs.struct.IbvContext;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The calls of contexts of several drivers, which are functions of the C library here that can be called with such arguments. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the layouts and the library are Linux's")
class ContextOperationsTest {
    private static MemorySegment c(String function) {
        return Linker.nativeLinker().defaultLookup().find(function).orElseThrow();
    }

    private static DataCalls calls(Arena arena, String pollCq) {
        MemorySegment context = arena.allocate(IbvContext.LAYOUT);
        context.set(ADDRESS, IbvContext.POLL_CQ, c(pollCq));
        return ContextOperations.of(context);
    }

    @Test
    void contextsOfOneDriverShareTheirCallsAndThoseOfTwoDoNot() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom("abca");
            long address = text.address();
            DataCalls first = calls(arena, "strnlen");
            DataCalls second = calls(arena, "memchr");
            assertThat(first).isSameAs(calls(arena, "strnlen")).isNotSameAs(second);
            assertThat(first.pollCq(address, 3, 4)).isEqualTo(3);
            assertThat(second.pollCq(address, 'b', 4)).isEqualTo((int) (address + 1));
        }
    }

    @Test
    void aFunctionThatTheDriverLacksIsRefusedWhenItIsCalled() {
        try (Arena arena = Arena.ofConfined()) {
            DataCalls calls = calls(arena, "strnlen");
            assertThatIllegalArgumentException().isThrownBy(() -> calls.postSharedReceive(1, 2, 3));
        }
    }
}
