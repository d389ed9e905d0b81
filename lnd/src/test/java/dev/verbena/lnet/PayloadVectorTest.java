// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A vector of slices behaves as one array of bytes. */
class PayloadVectorTest {

    private static PayloadVector vector(List<Integer> lengths) {
        return PayloadVector.of(lengths.stream()
                .map(length -> MemorySegment.ofArray(new byte[length]))
                .toList());
    }

    private static byte[] content(PayloadVector vector) {
        byte[] all = new byte[(int) vector.length()];
        vector.copyOut(0, MemorySegment.ofArray(all), 0, all.length);
        return all;
    }

    @Property
    void copiesInAndOutAreThoseOfAnArray(
            @ForAll @Size(max = 20) List<@IntRange(min = 0, max = 9) Integer> lengths,
            @ForAll @Size(max = 60) byte[] data,
            @ForAll @IntRange(min = 0, max = 60) int offset) {
        PayloadVector vector = vector(lengths);
        int total = lengths.stream().mapToInt(i -> i).sum();
        assertThat(vector.length()).isEqualTo(total);
        if (offset + data.length > total) {
            assertThatThrownBy(() -> vector.copyIn(offset, MemorySegment.ofArray(data), 0, data.length))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(content(vector)).containsOnly(new byte[total]);
            return;
        }
        byte[] model = new byte[total];
        System.arraycopy(data, 0, model, offset, data.length);
        vector.copyIn(offset, MemorySegment.ofArray(data), 0, data.length);
        assertThat(content(vector)).isEqualTo(model);
        byte[] out = new byte[data.length + 2];
        vector.copyOut(offset, MemorySegment.ofArray(out), 1, data.length);
        assertThat(Arrays.copyOfRange(out, 1, 1 + data.length)).isEqualTo(data);
        assertThat(out[0]).isZero();
        assertThat(out[out.length - 1]).isZero();
    }

    @Property
    void piecesAreContiguousAndInOrder(
            @ForAll @Size(max = 20) List<@IntRange(min = 0, max = 9) Integer> lengths,
            @ForAll @IntRange(min = 0, max = 90) int offset,
            @ForAll @IntRange(min = 0, max = 90) int length) {
        PayloadVector vector = vector(lengths);
        if (offset + length > vector.length()) {
            return;
        }
        List<Integer> pieces = new ArrayList<>();
        vector.forEachPiece(offset, length, (slice, at, bytes) -> {
            assertThat(bytes).isPositive();
            assertThat(at + bytes).isLessThanOrEqualTo(slice.byteSize());
            slice.set(ValueLayout.JAVA_BYTE, at, (byte) (pieces.size() + 1));
            pieces.add((int) bytes);
        });
        assertThat(pieces.stream().mapToInt(i -> i).sum()).isEqualTo(length);
        byte[] all = content(vector);
        int at = offset;
        for (int i = 0; i < pieces.size(); i++) {
            assertThat(all[at]).isEqualTo((byte) (i + 1));
            at += pieces.get(i);
        }
    }

    @Test
    void moreSlicesThanLnetAllowsAreRefused() {
        List<Integer> tooMany = Collections.nCopies(257, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> vector(tooMany)).withMessageContaining("257");
        assertThat(vector(Collections.nCopies(257, 0))).isSameAs(PayloadVector.EMPTY);
    }
}
