// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RingTest {
    private enum Step {
        PRODUCE,
        CONSUME,
        TRUNCATE,
        CLEAR
    }

    /** Each side reads the other's index only in its own operations, so its cached index may be old. */
    @Property(tries = 500)
    void behavesAsABoundedQueueOfSlots(
            @ForAll @IntRange(max = 9) int entries, @ForAll @Size(max = 400) List<@From("steps") Step> steps) {
        WorkQueue ring = new WorkQueue(entries, Long.BYTES);
        assertThat(ring.capacity()).isBetween(entries, Math.max(0, 2 * entries - 1));
        assertThat(Integer.bitCount(ring.capacity() + 1)).isEqualTo(1);
        int[] slots = new int[ring.capacity() + 1];
        Deque<Integer> model = new ArrayDeque<>();
        int next = 1;
        for (Step step : steps) {
            switch (step) {
                case PRODUCE -> {
                    assertThat(ring.isFull()).isEqualTo(model.size() == ring.capacity());
                    if (!ring.isFull()) {
                        slots[ring.producer() & ring.capacity()] = next;
                        model.add(next++);
                        ring.produce();
                    }
                }
                case CONSUME -> {
                    assertThat(ring.hasEntry()).isEqualTo(!model.isEmpty());
                    if (ring.hasEntry()) {
                        assertThat(slots[ring.consumer() & ring.capacity()]).isEqualTo(model.remove());
                        ring.consume();
                    }
                }
                case TRUNCATE -> {
                    int kept = model.size() / 2;
                    ring.truncate(ring.consumer() + kept);
                    while (model.size() > kept) {
                        model.removeLast();
                    }
                }
                case CLEAR -> {
                    ring.clear();
                    model.clear();
                }
                default -> throw new AssertionError(step);
            }
            assertThat(ring.count()).isEqualTo(model.size());
            assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
        }
    }

    /** Frequent steps are the most probable. */
    @Provide
    Arbitrary<Step> steps() {
        return Arbitraries.frequency(
                Tuple.of(10, Step.PRODUCE),
                Tuple.of(8, Step.CONSUME),
                Tuple.of(1, Step.TRUNCATE),
                Tuple.of(1, Step.CLEAR));
    }

    @Test
    void refusesASizeThatNoIndexCanCount() {
        assertThatIllegalArgumentException().isThrownBy(() -> new WorkQueue(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new WorkQueue(1 << 30, 1));
    }

    /** One thread fills slots while another one empties them, and must read the values written. */
    @Test
    void handsSlotsFromOneThreadToAnother() throws InterruptedException {
        int total = 50_000;
        WorkQueue ring = new WorkQueue(7, Long.BYTES);
        long[] slots = new long[ring.capacity() + 1];
        Thread producer = Thread.ofPlatform().start(() -> {
            for (long value = 1; value <= total; value++) {
                while (ring.isFull()) {
                    Thread.onSpinWait();
                }
                slots[ring.producer() & ring.capacity()] = value * 3;
                ring.produce();
            }
        });
        long wrong = 0;
        for (long value = 1; value <= total; value++) {
            while (!ring.hasEntry()) {
                Thread.onSpinWait();
            }
            wrong += slots[ring.consumer() & ring.capacity()] == value * 3 ? 0 : 1;
            ring.consume();
        }
        producer.join();
        assertThat(wrong).isZero();
    }

    /** A third thread only reports while both sides are active. */
    @Test
    void countsNoLessThanNothingAndNoMoreThanFits() throws InterruptedException {
        WorkQueue ring = new WorkQueue(3, Long.BYTES);
        AtomicBoolean enough = new AtomicBoolean();
        Thread both = Thread.ofPlatform().start(() -> {
            while (!enough.get()) {
                ring.produce();
                ring.produce();
                ring.consume();
                ring.consume();
            }
        });
        int least = 0;
        int most = 0;
        for (int look = 0; look < 20_000_000; look++) {
            int count = ring.count();
            least = Math.min(least, count);
            most = Math.max(most, count);
        }
        enough.set(true);
        both.join();
        assertThat(least).isZero();
        assertThat(most).isBetween(0, ring.capacity());
    }
}
