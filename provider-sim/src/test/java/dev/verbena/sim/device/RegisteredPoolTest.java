// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Crew;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.RegisteredPool;
import dev.verbena.verbs.RegisteredPool.Slice;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegisteredPoolTest {
    private static final Set<AccessFlag> WRITABLE = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    private RegisteredPool pool(int count, long size) throws VerbsException {
        return RegisteredPool.create(lab.node("sim0", "10.0.0.1").domain(), count, size, WRITABLE);
    }

    @Property(tries = 100)
    void handsOutEachSliceOnceAndTakesItBackOnce(
            @ForAll @IntRange(min = 1, max = 5) int count,
            @ForAll @IntRange(min = 1, max = 200) int size,
            @ForAll @Size(max = 60) List<@IntRange(max = 9) Integer> steps)
            throws VerbsException {
        try (Lab own = new Lab()) {
            run(RegisteredPool.create(own.node("sim0", "10.0.0.1").domain(), count, size, WRITABLE), count, steps);
        }
    }

    private static void run(RegisteredPool pool, int count, List<Integer> steps) throws VerbsException {
        Set<Slice> out = new HashSet<>();
        for (int step : steps) {
            if (step < count * 2 && step % 2 == 0) {
                Slice slice = pool.slice(step / 2);
                if (out.remove(slice)) {
                    slice.release();
                } else {
                    assertThatThrownBy(slice::release).hasMessageContaining("is not acquired");
                }
            } else {
                Slice slice = pool.acquire();
                if (out.size() == count) {
                    assertThat(slice).isNull();
                } else {
                    assertThat(out.add(Objects.requireNonNull(slice))).isTrue();
                    assertThat(pool.slice(slice.index())).isSameAs(slice);
                }
            }
            assertThat(pool.acquired()).isEqualTo(out.size());
        }
        if (!out.isEmpty()) {
            assertThatThrownBy(pool::close)
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(out.size() + " of " + count + " slices are in use")
                    .satisfies(thrown ->
                            assertThat(((VerbsException) thrown).errno()).isEqualTo(Errno.EBUSY));
        }
        out.forEach(Slice::release);
        pool.close();
        pool.close();
        assertThatThrownBy(pool::acquire).hasMessage("the pool is closed");
    }

    @Test
    void slicesLieApartAndInsideTheRegion() throws VerbsException {
        RegisteredPool pool = pool(10, 65);
        for (int i = 0; i < 10; i++) {
            Slice slice = pool.slice(i);
            assertThat(slice.region()).isSameAs(pool.region());
            assertThat(slice.offset()).isEqualTo(i * 128L);
            assertThat(slice.address()).isEqualTo(pool.region().address() + i * 128L);
            assertThat(slice.memory().byteSize()).isEqualTo(65);
            assertThat(slice.memory().address()).isEqualTo(slice.address());
        }
        assertThat(pool.region().length()).isEqualTo(1280);
    }

    @Test
    void slicesAreSentAndReceived() throws VerbsException {
        Node left = lab.node("sim0", "10.0.0.1");
        Node right = lab.node("sim1", "10.0.0.2");
        Endpoint from = left.endpoint();
        Endpoint to = right.endpoint();
        from.connect(to, Connection.USUAL);
        RegisteredPool sources = RegisteredPool.create(left.domain(), 2, 100, WRITABLE);
        RegisteredPool targets = RegisteredPool.create(right.domain(), 2, 100, WRITABLE);
        Slice source = Objects.requireNonNull(sources.acquire());
        Slice target = Objects.requireNonNull(targets.acquire());
        source.memory().fill((byte) 5);
        to.receive(wr -> wr.id(target.index()).sge(target.region(), target.offset(), 100));
        from.post(wr -> wr.send().id(source.index()).signaled().sge(source.region(), source.offset(), 100));
        lab.settle();
        assertThat(from.sends()).containsExactly("SEND " + source.index());
        assertThat(target.memory().toArray(ValueLayout.JAVA_BYTE)).containsOnly(5);
    }

    @Test
    void refusesImpossiblePoolsAndLeavesNoRegistration() throws VerbsException {
        Node node = lab.node("sim0", "10.0.0.1");
        assertThatThrownBy(() -> RegisteredPool.create(node.domain(), 0, 1, WRITABLE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RegisteredPool.create(node.domain(), 1, 0, WRITABLE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RegisteredPool.create(node.domain(), 1, 1, Set.of(AccessFlag.REMOTE_WRITE)))
                .isInstanceOf(VerbsException.class);
        node.region().close();
        node.domain().close();
        node.arena().close();
        node.device().close();
    }

    /** Each thread marks its slices while it has them; no other thread may have written there. */
    @Test
    void severalThreadsNeverShareASlice() throws Exception {
        int threads = 4;
        int share = 3_000;
        RegisteredPool pool = pool(6, 64);
        long seed = ThreadLocalRandom.current().nextLong();
        AtomicInteger uses = new AtomicInteger();
        Crew crew = new Crew();
        crew.add(threads, number -> {
            SplittableRandom random = new SplittableRandom(seed + number);
            Deque<Slice> mine = new ArrayDeque<>();
            // A thread that finds the pool empty continues until it had its share, regardless of the others' schedule.
            for (int had = 0; had < share; ) {
                Slice slice = random.nextBoolean() ? pool.acquire() : null;
                if (slice != null) {
                    slice.memory().set(ValueLayout.JAVA_INT, 0, number);
                    mine.add(slice);
                    had++;
                    uses.incrementAndGet();
                } else if (!mine.isEmpty()) {
                    Slice done = mine.remove();
                    assertThat(done.memory().get(ValueLayout.JAVA_INT, 0))
                            .as("seed %d", seed)
                            .isEqualTo(number);
                    done.release();
                }
            }
            mine.forEach(Slice::release);
        });
        crew.run();
        assertThat(uses).as("seed %d", seed).hasValue(threads * share);
        assertThat(pool.acquired()).isZero();
        pool.close();
    }

    @Test
    void closingAndAcquiringExcludeEachOther() throws Exception {
        Node node = lab.node("sim0", "10.0.0.1");
        for (int round = 0; round < 300; round++) {
            RegisteredPool pool = RegisteredPool.create(node.domain(), 1, 64, WRITABLE);
            Crew crew = new Crew();
            boolean[] closed = new boolean[1];
            Slice[] taken = new Slice[1];
            crew.add(() -> {
                try {
                    pool.close();
                    closed[0] = true;
                } catch (VerbsException busy) {
                    assertThat(busy.errno()).isEqualTo(Errno.EBUSY);
                }
                return null;
            });
            crew.add(() -> {
                try {
                    taken[0] = pool.acquire();
                } catch (IllegalStateException gone) {
                    assertThat(gone).hasMessage("the pool is closed");
                }
                return null;
            });
            crew.run();
            assertThat(closed[0]).isNotEqualTo(taken[0] != null);
            if (taken[0] != null) {
                taken[0].release();
                pool.close();
            }
        }
    }
}
