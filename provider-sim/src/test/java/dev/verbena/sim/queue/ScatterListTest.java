// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ScatterListTest {
    private static final int AT = 16;

    private final Slots slots = new Slots(512);
    private final ScatterList list = new ScatterList().wrap(slots, AT, AT + 24);

    /** Returns the addresses of a number of bytes from the cursor on. */
    private List<Long> take(int bytes) {
        List<Long> addresses = new ArrayList<>();
        int left = bytes;
        while (left > 0) {
            int step = Math.min(left, list.currentRemaining());
            for (int i = 0; i < step; i++) {
                addresses.add(list.currentAddress() + i);
            }
            assertThat(step == 0 || list.currentKey() == (int) (list.currentAddress() >> 16))
                    .isTrue();
            list.advance(step);
            left -= step;
        }
        return addresses;
    }

    @Property(tries = 200)
    void visitsEveryByteOnceInOrderInAnyPieces(
            @ForAll @Size(max = 6) List<@IntRange(max = 9) Integer> lengths,
            @ForAll @Size(max = 20) List<@IntRange(max = 12) Integer> pieces) {
        list.clear();
        List<Long> expected = new ArrayList<>();
        for (int entry = 0; entry < lengths.size(); entry++) {
            long address = (entry + 1L) << 16;
            list.add(address, lengths.get(entry), entry + 1);
            for (int i = 0; i < lengths.get(entry); i++) {
                expected.add(address + i);
            }
        }
        list.rewind();
        assertThat(list.length()).isEqualTo(expected.size());
        assertThat(list.count()).isEqualTo(lengths.size());
        for (int time = 0; time < 2; time++) {
            List<Long> visited = new ArrayList<>();
            for (int piece : pieces) {
                visited.addAll(take(Math.min(piece, list.remaining())));
                assertThat(list.remaining()).isEqualTo(expected.size() - visited.size());
            }
            visited.addAll(take(list.remaining()));
            assertThat(visited).isEqualTo(expected);
            list.rewind();
        }
    }

    @Property(tries = 200)
    void countsWithoutSignUpToTwoToThe31(@ForAll @IntRange(min = 1) int first, @ForAll @IntRange(min = 1) int used) {
        long total = 1L << 31;
        list.clear();
        list.add(1L << 40, (int) total - first, 1);
        list.add(1L << 41, first, 2);
        list.rewind();
        assertThat(Integer.toUnsignedLong(list.length())).isEqualTo(total);
        long firstEntry = total - first;
        int step = list.step(used);
        assertThat(step).isEqualTo((int) Math.min(used, firstEntry));
        list.advance(step);
        assertThat(Integer.toUnsignedLong(list.remaining())).isEqualTo(total - step);
        assertThat(list.currentAddress()).isEqualTo(step == firstEntry ? 1L << 41 : (1L << 40) + step);
    }

    @Test
    void oneEntryMayHaveThemAll() {
        list.clear();
        list.add(1L << 40, 1 << 31, 1);
        list.rewind();
        assertThat(list.step(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        list.advance(Integer.MAX_VALUE);
        assertThat(list.currentAddress()).isEqualTo((1L << 40) + Integer.MAX_VALUE);
        assertThat(list.step(4096)).isEqualTo(1);
        list.advance(1);
        assertThat(list.remaining()).isZero();
    }
}
