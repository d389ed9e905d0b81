// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Pools grow on demand, shrink when idle, wait after a failure and are replaced with their device. */
class PoolSetTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** Numbers that are made and ended. */
    private static final class Numbers implements PoolSet.Factory<Integer> {
        private final List<Integer> alive = new ArrayList<>();
        private int next;
        private int limit = Integer.MAX_VALUE;
        private int attempts;
        private int throwing = -1;

        @Override
        public Integer create() throws VerbsException {
            attempts++;
            if (alive.size() == limit) {
                throw new VerbsException(Errno.ENOMEM, "create", "no more than " + limit);
            }
            alive.add(next);
            return next++;
        }

        @Override
        public void destroy(Integer object) {
            if (object == throwing) {
                throw new IllegalStateException("a fault");
            }
            assertThat(alive.removeIf(object::equals))
                    .as("%d is ended once", object)
                    .isTrue();
        }
    }

    private final Numbers numbers = new Numbers();
    private final PoolSet<Integer> pools = new PoolSet<>(2, PoolSet.Order.LIFO, numbers);

    private PoolSet.Slot<Integer> take(long now) {
        return Objects.requireNonNull(pools.take(now), "nothing to take");
    }

    @Test
    void aPoolIsAddedWhenAllOthersAreEmptyAndGoesAfterFiveMinutesOfIdleness() {
        List<PoolSet.Slot<Integer>> taken = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            taken.add(take(0));
        }
        assertThat(pools.pools()).isEqualTo(3);
        for (PoolSet.Slot<Integer> slot : taken.subList(1, 5)) {
            pools.release(slot, SECOND);
        }
        assertThat(pools.pools()).as("idle, but not for long enough").isEqualTo(3);
        pools.release(taken.getFirst(), 299 * SECOND);
        assertThat(pools.pools()).isEqualTo(3);
        pools.release(take(300 * SECOND), 300 * SECOND);
        assertThat(pools.pools()).as("the first pool stays").isEqualTo(1);
        assertThat(numbers.alive).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void aPoolInUseIsNotFreed() {
        take(0);
        take(0);
        PoolSet.Slot<Integer> third = take(0);
        PoolSet.Slot<Integer> fourth = take(0);
        pools.release(third, 400 * SECOND);
        assertThat(pools.pools()).isEqualTo(2);
        pools.release(fourth, 400 * SECOND);
        assertThat(pools.pools()).isEqualTo(1);
    }

    @Test
    void anIdlePoolAfterOneInUseIsDestroyed() {
        take(0);
        take(0);
        take(0);
        take(0);
        PoolSet.Slot<Integer> fifth = take(0);
        assertThat(pools.pools()).isEqualTo(3);
        pools.release(fifth, 300 * SECOND);
        assertThat(pools.pools()).isEqualTo(2);
        assertThat(numbers.alive).containsExactly(0, 1, 2, 3);
    }

    @Test
    void afterAFailureNoCreationIsTriedForASecond() {
        numbers.limit = 1;
        take(0);
        assertThat(pools.take(0)).isNull();
        assertThat(pools.take(SECOND - 1)).isNull();
        assertThat(numbers.attempts).isEqualTo(2);
        numbers.limit = 2;
        assertThat(pools.take(SECOND)).isNotNull();
    }

    /** The monotonic clock has an arbitrary origin, so that its readings may wrap. */
    @Test
    void pausesAndIdlenessHoldWhileTheClockWraps() {
        long now = Long.MAX_VALUE - SECOND / 2;
        numbers.limit = 3;
        List<PoolSet.Slot<Integer>> taken = List.of(take(now), take(now), take(now));
        assertThat(pools.take(now)).isNull();
        numbers.limit = 4;
        assertThat(pools.take(now + SECOND - 1)).as("within the pause").isNull();
        PoolSet.Slot<Integer> fourth = take(now + SECOND);
        assertThat(pools.pools()).isEqualTo(2);
        pools.release(taken.get(2), now + SECOND);
        pools.release(fourth, now + 300 * SECOND);
        assertThat(pools.pools()).as("idle, but not for long enough").isEqualTo(2);
        pools.release(taken.get(0), now + 301 * SECOND);
        assertThat(pools.pools()).isEqualTo(1);
    }

    @Test
    void theOrderIsThatOfTheSet() {
        PoolSet<Integer> fifo = new PoolSet<>(4, PoolSet.Order.FIFO, numbers);
        for (PoolSet<Integer> set : List.of(pools, fifo)) {
            PoolSet.Slot<Integer> first = Objects.requireNonNull(set.take(0));
            PoolSet.Slot<Integer> second = Objects.requireNonNull(set.take(0));
            set.release(first, 0);
            set.release(second, 0);
            assertThat(set.take(0)).isSameAs(set == fifo ? first : second);
        }
    }

    @Test
    void aReplacedDeviceDestroysFreeObjectsAtOnceAndTheOthersOnRelease() {
        PoolSet.Slot<Integer> busy = take(0);
        pools.release(take(0), 0);
        pools.failOver();
        assertThat(numbers.alive).containsExactly(0);
        PoolSet.Slot<Integer> fresh = take(0);
        pools.release(busy, 0);
        assertThat(numbers.alive).containsExactly(fresh.object());
        assertThat(pools.inUse()).isEqualTo(1);
        assertThat(pools.made()).isEqualTo(1);
    }

    @Test
    void anObjectWhoseDestructionThrowsIsDestroyedAgainByTheClose() {
        PoolSet.Slot<Integer> first = take(0);
        PoolSet.Slot<Integer> second = take(0);
        pools.release(first, 0);
        pools.release(second, 0);
        numbers.throwing = second.object();

        pools.failOver();

        assertThat(numbers.alive).containsExactly(second.object());
        assertThat(pools.made()).isZero();
        assertThatIllegalStateException().isThrownBy(pools::close);
        numbers.throwing = -1;
        assertThatCode(pools::close).doesNotThrowAnyException();
        assertThat(numbers.alive).isEmpty();
    }

    @Property(tries = 200)
    void nothingIsTakenTwiceOrLost(@ForAll long seed, @ForAll @IntRange(min = 1, max = 5) int size) {
        Random random = new Random(seed);
        Numbers factory = new Numbers();
        PoolSet<Integer> set = new PoolSet<>(size, PoolSet.Order.values()[random.nextInt(2)], factory);
        List<PoolSet.Slot<Integer>> taken = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < 200; step++) {
            now += random.nextInt(100) * SECOND;
            factory.limit = random.nextInt(20);
            PoolSet.Slot<Integer> slot = random.nextBoolean() ? set.take(now) : null;
            if (slot != null) {
                assertThat(taken).extracting(PoolSet.Slot::object).doesNotContain(slot.object());
                taken.add(slot);
            } else if (!taken.isEmpty()) {
                PoolSet.Slot<Integer> back = taken.remove(random.nextInt(taken.size()));
                switch (random.nextInt(10)) {
                    case 0 -> set.discard(back, now);
                    case 1 -> {
                        set.failOver();
                        set.release(back, now);
                    }
                    default -> set.release(back, now);
                }
            }
            assertThat(set.inUse()).isEqualTo(taken.size());
            assertThat(set.made()).isEqualTo(factory.alive.size());
            assertThat(factory.alive)
                    .containsAll(taken.stream().map(PoolSet.Slot::object).toList());
        }
    }
}
