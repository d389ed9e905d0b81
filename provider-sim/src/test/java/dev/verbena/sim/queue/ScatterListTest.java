package dev.verbena.sim.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ScatterListTest {
    private static final int AT = 16;

    private final MemorySegment slots = MemorySegment.ofArray(new long[64]);
    private final ScatterList list = new ScatterList().wrap(slots, AT, AT + ScatterList.STATE_LENGTH);

    /** The addresses of so many bytes from the present one on. */
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
}
