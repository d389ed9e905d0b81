// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static dev.verbena.junit.VerbsAssertions.expect;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Assertions about memory. */
public final class MemoryAssert {
    private final MemorySegment memory;

    MemoryAssert(MemorySegment memory) {
        this.memory = memory;
    }

    /**
     * Asserts the content of the memory. The assertion error has the offset of the first byte that differs from the
     * expected byte.
     *
     * @param offset the offset, in the checked memory, of the first byte to compare with {@code expected}
     * @param expected the bytes
     * @return this object, for further assertions
     */
    public MemoryAssert hasBytes(long offset, byte[] expected) {
        MemorySegment found = memory.asSlice(offset, expected.length);
        long different = found.mismatch(MemorySegment.ofArray(expected));
        if (different >= 0) {
            long at = offset + different;
            expect(false, expected[(int) different] + " at offset " + at, memory.get(ValueLayout.JAVA_BYTE, at));
        }
        return this;
    }

    /**
     * Asserts a text in UTF-8.
     *
     * @param offset the offset of the text in bytes
     * @param expected the text
     * @return this object, for further assertions
     */
    public MemoryAssert hasText(long offset, String expected) {
        byte[] bytes = expected.getBytes(StandardCharsets.UTF_8);
        String found =
                new String(memory.asSlice(offset, bytes.length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        expect(found.equals(expected), "\"" + expected + "\" at offset " + offset, "\"" + found + "\"");
        return this;
    }
}
