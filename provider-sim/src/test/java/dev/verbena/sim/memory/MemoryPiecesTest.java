// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MemoryPiecesTest {
    /** Compares with the same copies on one array that holds all bytes. */
    @Property
    void copiesAcrossPiecesAsIfTheyWereOne(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 9) Integer> sizes,
            @ForAll @IntRange(max = 60) int from,
            @ForAll @IntRange(max = 60) int length) {
        List<MemorySegment> segments = new ArrayList<>();
        int total = 0;
        for (int size : sizes) {
            byte[] bytes = new byte[size];
            for (int i = 0; i < size; i++) {
                bytes[i] = (byte) (total + i);
            }
            segments.add(MemorySegment.ofArray(bytes));
            total += size;
        }
        MemoryPieces pieces = MemoryPieces.of(segments);
        assertThat(pieces.length()).isEqualTo(total);
        int position = from % total;
        int bytes = length % (total - position + 1);

        byte[] out = new byte[bytes + 2];
        pieces.copyTo(position, MemorySegment.ofArray(out), 1, bytes);
        for (int i = 0; i < out.length; i++) {
            assertThat(out[i]).isEqualTo((byte) (i == 0 || i > bytes ? 0 : position + i - 1));
        }

        byte[] in = new byte[bytes];
        Arrays.fill(in, (byte) -1);
        pieces.copyFrom(MemorySegment.ofArray(in), false, 0, position, bytes);
        byte[] all = new byte[total];
        pieces.copyTo(0, MemorySegment.ofArray(all), 0, total);
        for (int i = 0; i < total; i++) {
            assertThat(all[i]).isEqualTo((byte) (i >= position && i < position + bytes ? -1 : i));
        }
    }

    @Test
    void eightBytesAreAtomicWhereTheMemoryItselfIsAlignedAndInOnePiece() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64, 8);
            MemoryPieces odd = MemoryPieces.of(memory.asSlice(4, 40));
            assertThat(odd.isAtomic(0)).isFalse();
            assertThat(odd.isAtomic(4)).isTrue();
            MemoryPieces split = MemoryPieces.of(List.of(memory.asSlice(0, 12), memory.asSlice(12, 20)));
            assertThat(split.isAtomic(0)).isTrue();
            assertThat(split.isAtomic(8)).isFalse();
            assertThat(split.isAtomic(16)).isTrue();

            memory.set(ValueLayout.JAVA_LONG, 16, 40);
            assertThat(split.getAndAdd(16, 2)).isEqualTo(40);
            assertThat(split.compareAndExchange(16, 41, 1)).isEqualTo(42);
            assertThat(split.compareAndExchange(16, 42, 7)).isEqualTo(42);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(7);
            split.setVolatile(16, -1);
            assertThat(memory.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(-1);
        }
    }

    @Test
    void refusesAnEmptyPiece() {
        assertThatThrownBy(() -> MemoryPieces.of(MemorySegment.ofArray(new byte[0])))
                .hasMessage("piece 0 of 1 is empty");
    }
}
