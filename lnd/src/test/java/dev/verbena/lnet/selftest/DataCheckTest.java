// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DataCheckTest {

    private static byte[] filled(DataCheck check, int length, ByteOrder order) {
        byte[] bytes = new byte[length];
        check.fill(MemorySegment.ofArray(bytes), order);
        return bytes;
    }

    /** The bytes of the captures. */
    @Test
    void thePatternIsThatOfRealNodes() {
        assertThat(HexFormat.of().formatHex(filled(DataCheck.FULL, 16, ByteOrder.LITTLE_ENDIAN)))
                .isEqualTo("b3eeb2eeb1eeb0ee".repeat(2));
        assertThat(HexFormat.of().formatHex(filled(DataCheck.SIMPLE, 16, ByteOrder.BIG_ENDIAN)))
                .isEqualTo("eeb0eeb1eeb2eeb3".repeat(2));
    }

    @Property(tries = 300)
    void anyWrongByteInACheckedWordIsFound(
            @ForAll DataCheck check,
            @ForAll boolean big,
            @ForAll @IntRange(min = 1, max = 3000) int words,
            @ForAll @IntRange(max = 23_999) int spoiled) {
        ByteOrder order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int length = words * 8;
        int at = spoiled % length;
        byte[] bytes = filled(check, length, order);
        MemorySegment data = MemorySegment.ofArray(bytes);
        assertThat(check.firstWrong(data, order)).isEqualTo(-1);
        bytes[at] ^= 1;
        int word = at & -8;
        boolean edge = word % 4096 == 0 || word % 4096 == 4088 || word == length - 8;
        boolean looked = switch (check) {
            case NONE -> false;
            case SIMPLE -> edge;
            case FULL -> true;
        };
        assertThat(check.firstWrong(data, order)).isEqualTo(looked ? word : -1);
    }

    @Test
    void numbersAreThoseOfTheMessages() {
        for (DataCheck check : DataCheck.values()) {
            assertThat(DataCheck.isNumber(check.number())).isTrue();
            assertThat(DataCheck.numbered(check.number())).isSameAs(check);
        }
        assertThat(DataCheck.isNumber(0)).isFalse();
        assertThat(DataCheck.isNumber(5)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> DataCheck.numbered(0));
    }
}
