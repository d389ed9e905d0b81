package dev.verbena.sim.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RingTest {
    @Property(tries = 200)
    void behavesAsABoundedQueueOfSlots(
            @ForAll @IntRange(max = 70) int entries, @ForAll @Size(max = 400) List<@IntRange(max = 2) Integer> steps) {
        Ring ring = new Ring(entries);
        assertThat(ring.capacity()).isBetween(entries, Math.max(0, 2 * entries - 1));
        assertThat(Integer.bitCount(ring.capacity() + 1)).isEqualTo(1);
        int[] slots = new int[ring.capacity() + 1];
        Deque<Integer> model = new ArrayDeque<>();
        int next = 1;
        for (int step : steps) {
            assertThat(ring.count()).isEqualTo(model.size());
            assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
            assertThat(ring.hasEntry()).isEqualTo(!model.isEmpty());
            assertThat(ring.isFull()).isEqualTo(model.size() == ring.capacity());
            if (step > 0 && !ring.isFull()) {
                slots[ring.producer()] = next;
                model.add(next++);
                ring.produce();
            } else if (step == 0 && !ring.isEmpty()) {
                assertThat(slots[ring.consumer()]).isEqualTo(model.remove());
                ring.consume();
            }
        }
        ring.clear();
        assertThat(ring.isEmpty()).isTrue();
        assertThat(ring.hasEntry()).isFalse();
        assertThat(ring.isFull()).isEqualTo(ring.capacity() == 0);
    }

    @Test
    void refusesASizeThatNoIndexCanCount() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Ring(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Ring(1 << 30));
    }

    /** One thread fills slots while another empties them; what it reads must be what was written. */
    @Test
    void handsSlotsFromOneThreadToAnother() throws InterruptedException {
        int total = 50_000;
        Ring ring = new Ring(7);
        long[] slots = new long[ring.capacity() + 1];
        Thread producer = Thread.ofPlatform().start(() -> {
            for (long value = 1; value <= total; value++) {
                while (ring.isFull()) {
                    Thread.onSpinWait();
                }
                slots[ring.producer()] = value * 3;
                ring.produce();
            }
        });
        long wrong = 0;
        for (long value = 1; value <= total; value++) {
            while (!ring.hasEntry()) {
                Thread.onSpinWait();
            }
            wrong += slots[ring.consumer()] == value * 3 ? 0 : 1;
            ring.consume();
        }
        producer.join();
        assertThat(wrong).isZero();
    }
}
