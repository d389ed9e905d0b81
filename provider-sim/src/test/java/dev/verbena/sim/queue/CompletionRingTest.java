// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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

class CompletionRingTest {
    private static final int QUEUE_PAIRS = 3;
    private static final int MOST_ENTRIES = 150;

    private enum Step {
        ADD,
        ADD_MANY,
        TAKE,
        TAKE_MANY,
        REMOVE,
        RESIZE
    }

    private static boolean add(CompletionRing ring, long id, int qpNumber) {
        ring.beginAdding();
        try {
            boolean room = !ring.isFull();
            if (room) {
                ring.add(
                        id, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 3 * id, qpNumber, 7, 5, (int) -id);
            }
            return room;
        } finally {
            ring.endAdding();
        }
    }

    private static List<Long> take(CompletionRing ring, Cqe[] into) {
        ring.beginTaking();
        try {
            int count = ring.take(into);
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(into[i].workRequestId());
            }
            return ids;
        } finally {
            ring.endTaking();
        }
    }

    private static Cqe[] batch(int capacity) {
        return IntStream.range(0, capacity).mapToObj(i -> new Cqe()).toArray(Cqe[]::new);
    }

    private static int qpOf(long id) {
        return (int) (id % QUEUE_PAIRS);
    }

    /** For any present number of slots. */
    @Property(tries = 500)
    void behavesAsABoundedQueue(
            @ForAll @IntRange(min = 1, max = MOST_ENTRIES) int entries,
            @ForAll @Size(max = 200) List<@From("steps") Step> steps,
            @ForAll @IntRange(min = 1, max = MOST_ENTRIES) int other) {
        CompletionRing ring = new CompletionRing(entries);
        Deque<Long> model = new ArrayDeque<>();
        long next = 1;
        int resized = other;
        for (Step step : steps) {
            switch (step) {
                case ADD, ADD_MANY -> {
                    for (int i = step == Step.ADD ? 1 : 30; i > 0; i--) {
                        boolean room = model.size() < ring.capacity();
                        assertThat(add(ring, next, qpOf(next))).isEqualTo(room);
                        if (room) {
                            model.add(next);
                        }
                        next++;
                    }
                }
                case TAKE, TAKE_MANY -> {
                    List<Long> expected = new ArrayList<>();
                    int most = step == Step.TAKE ? 1 : 30;
                    while (expected.size() < most && !model.isEmpty()) {
                        expected.add(model.remove());
                    }
                    assertThat(take(ring, batch(most))).isEqualTo(expected);
                }
                case REMOVE -> {
                    int qpNumber = qpOf(next);
                    ring.remove(qpNumber);
                    model.removeIf(id -> qpOf(id) == qpNumber);
                }
                case RESIZE -> {
                    int before = ring.capacity();
                    assertThat(ring.resize(resized)).isEqualTo(model.size());
                    boolean fits = model.size() <= resized;
                    assertThat(ring.capacity()).isEqualTo(fits ? Ring.maskOf(resized) : before);
                    resized = resized % MOST_ENTRIES + 1;
                }
                default -> throw new AssertionError(step);
            }
            assertThat(ring.count()).isEqualTo(model.size());
            assertThat(ring.isWorthTaking()).isEqualTo(!model.isEmpty());
        }
    }

    @Provide
    Arbitrary<Step> steps() {
        return Arbitraries.frequency(
                Tuple.of(8, Step.ADD),
                Tuple.of(4, Step.ADD_MANY),
                Tuple.of(8, Step.TAKE),
                Tuple.of(4, Step.TAKE_MANY),
                Tuple.of(1, Step.REMOVE),
                Tuple.of(1, Step.RESIZE));
    }

    @Test
    void preservesAllFieldsOfACompletion() {
        CompletionRing ring = new CompletionRing(1);
        ring.beginAdding();
        ring.add(
                Long.MIN_VALUE + 1,
                WorkCompletionStatus.REM_ACCESS_ERR,
                WorkCompletionOpcode.RECV_RDMA_WITH_IMM,
                1L << 31,
                0xFFFFFF,
                0xABCDEF,
                3,
                -2);
        ring.endAdding();
        Cqe[] into = batch(2);
        assertThat(take(ring, into)).containsExactly(Long.MIN_VALUE + 1);
        Cqe copy = into[0];
        assertThat(copy.status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        assertThat(copy.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
        assertThat(copy.byteLength()).isEqualTo(1L << 31);
        assertThat(copy.qpNumber()).isEqualTo(0xFFFFFF);
        assertThat(copy.sourceQp()).isEqualTo(0xABCDEF);
        assertThat(copy.immediateData()).isEqualTo(-2);
        assertThat(copy.vendorError()).isZero();
    }

    /**
     * Two threads add so fast that the slots grow, while a third one takes; the completions of each thread arrive in
     * order.
     */
    @Test
    void losesNothingWhileItGrows() throws InterruptedException {
        int each = 3_000;
        for (int round = 0; round < 20; round++) {
            CompletionRing ring = new CompletionRing(2 * each);
            AtomicLong refused = new AtomicLong();
            Thread[] adders = new Thread[2];
            for (int adder = 0; adder < adders.length; adder++) {
                int number = adder;
                adders[adder] = Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < each; i++) {
                        refused.addAndGet(add(ring, 2L * i + number, number) ? 0 : 1);
                    }
                });
            }
            Cqe[] batch = batch(5);
            long[] last = {-2, -1};
            int wrong = 0;
            for (int taken = 0; taken < 2 * each && refused.get() == 0; ) {
                boolean seen = ring.isWorthTaking();
                List<Long> ids = take(ring, batch);
                // A completion that was seen is present, because no other thread takes.
                wrong += seen && ids.isEmpty() ? 1 : 0;
                for (long id : ids) {
                    int number = (int) (id % 2);
                    wrong += id == last[number] + 2 ? 0 : 1;
                    last[number] = id;
                }
                taken += ids.size();
            }
            for (Thread adder : adders) {
                adder.join();
            }
            assertThat(refused).hasValue(0);
            assertThat(wrong).isZero();
        }
    }

    /** Indices wrap past the largest int, and past the index at which marks repeat. */
    @Property(tries = 40)
    void goesOnWhereIndicesAndMarksStartAgain(
            @ForAll @IntRange(min = 1, max = 70) int entries,
            @ForAll boolean marks,
            @ForAll @IntRange(max = 99) int ahead) {
        CompletionRing ring = new CompletionRing(100);
        ring.truncate((marks ? -1 : Integer.MAX_VALUE) - ahead);
        ring.clear();
        // With other slots the ring computes its positions anew.
        ring.resize(1);
        ring.resize(entries);
        long added = 0;
        long taken = 0;
        for (int round = 0; round < 12; round++) {
            while (add(ring, added, (int) (added % 2))) {
                added++;
            }
            assertThat(added - taken).isEqualTo(ring.capacity());
            List<Long> ids = take(ring, batch(Math.ceilDiv(ring.capacity(), 2)));
            for (long id : ids) {
                assertThat(id).isEqualTo(taken++);
            }
        }
        ring.remove(1);
        List<Long> even =
                LongStream.range(taken, added).filter(id -> id % 2 == 0).boxed().toList();
        assertThat(take(ring, batch(even.size() + 1))).isEqualTo(even);
        assertThat(ring.isWorthTaking()).isFalse();
    }

    /**
     * Concurrently, threads add and take, one removes the completions of a third queue pair, and one changes the depth.
     */
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // An idle thread lets the others run.
    void losesNothingWhileOthersRemoveAndResize() throws InterruptedException {
        int each = 40_000;
        CompletionRing ring = new CompletionRing(64);
        AtomicIntegerArray seen = new AtomicIntegerArray(2 * each);
        AtomicLong left = new AtomicLong(2L * each);
        List<Thread> threads = new ArrayList<>();
        for (int adder = 0; adder < 2; adder++) {
            int number = adder;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    while (!add(ring, 2L * i + number, number)) {
                        Thread.yield();
                    }
                }
            }));
            threads.add(Thread.ofPlatform().start(() -> {
                Cqe[] batch = batch(3);
                while (left.get() > 0) {
                    List<Long> ids = ring.isWorthTaking() ? take(ring, batch) : List.of();
                    for (long id : ids) {
                        if (id >= 0) {
                            seen.incrementAndGet((int) id);
                            left.decrementAndGet();
                        }
                    }
                    if (ids.isEmpty()) {
                        Thread.yield();
                    }
                }
            }));
        }
        int[] depths = {3, 100, 31, 500, 64};
        for (int round = 0; left.get() > 0; round++) {
            add(ring, -1, 2);
            ring.resize(depths[round % depths.length]);
            add(ring, -1, 2);
            ring.remove(2);
            Thread.yield();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (int id = 0; id < seen.length(); id++) {
            assertThat(seen.get(id)).isEqualTo(1);
        }
        assertThat(ring.count()).isZero();
    }

    /** A thread that armed and polls an empty queue sleeps. So a present completion must be visible at any moment. */
    @Test
    void isWorthTakingWhileOthersAreRemovedOrTheDepthChanges() throws InterruptedException {
        CompletionRing ring = new CompletionRing(31);
        // Odd while there is a completion that stays.
        AtomicInteger phase = new AtomicInteger();
        AtomicInteger missed = new AtomicInteger();
        Thread looking = Thread.ofPlatform().start(() -> {
            for (int before = phase.get(); before >= 0; before = phase.get()) {
                if (before % 2 == 1 && !ring.isWorthTaking() && phase.get() == before) {
                    missed.incrementAndGet();
                }
            }
        });
        Cqe[] batch = batch(2);
        for (int round = 0; round < 200_000; round++) {
            ring.resize(31);
            add(ring, 1, 1);
            add(ring, 2, 2);
            phase.incrementAndGet();
            ring.remove(1);
            ring.resize(1);
            phase.incrementAndGet();
            assertThat(take(ring, batch)).containsExactly(2L);
        }
        phase.set(-1);
        looking.join();
        assertThat(missed).hasValue(0);
    }

    /** Another thread takes completions, but never all, and their slots are reused. */
    @Test
    void isWorthTakingWhileAnotherTakesSome() throws InterruptedException {
        CompletionRing ring = new CompletionRing(3);
        add(ring, 0, 1);
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger missed = new AtomicInteger();
        Thread looking = Thread.ofPlatform().start(() -> {
            while (!enough.get()) {
                if (!ring.isWorthTaking()) {
                    missed.incrementAndGet();
                }
            }
        });
        Cqe[] batch = batch(2);
        for (int round = 0; round < 300_000; round++) {
            add(ring, 1, 1);
            add(ring, 2, 1);
            ring.beginTaking();
            ring.take(batch);
            ring.endTaking();
        }
        enough.set(true);
        looking.join();
        assertThat(missed).hasValue(0);
    }
}
