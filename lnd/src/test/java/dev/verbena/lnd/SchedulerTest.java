// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Row 62: no connection is forgotten, none waits for long, one completion per turn. */
class SchedulerTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    /** The part of a connection that the scheduler uses: a queue of completions, served in turns. */
    private static final class Load {
        final FakeQueue queue;
        final AtomicInteger handled = new AtomicInteger();

        Load(Scheduler scheduler, Random moments) {
            ArmedQueue[] armed = new ArmedQueue[1];
            Scheduler.Source source = source(scheduler, () -> {
                synchronized (handled) {
                    if (armed[0].next() == null) {
                        return false;
                    }
                    handled.incrementAndGet();
                    return armed[0].hasNext();
                }
            });
            queue = new FakeQueue(source::ready, moments);
            armed[0] = new ArmedQueue(queue);
            queue.requestNotification(Notification.NEXT_COMPLETION);
        }

        boolean isDone() {
            return handled.get() == queue.added();
        }
    }

    /** Completions come between any two steps of polling, arming and polling once more. */
    @Property(tries = 200)
    void noCompletionIsLostBetweenPollingAndArming(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int workers)
            throws InterruptedException {
        VirtualRuntime runtime = new VirtualRuntime(seed);
        Scheduler scheduler = new Scheduler(runtime.extension(CallerRuns.class).orElseThrow(), workers);
        List<Load> loads = Stream.generate(() -> new Load(scheduler, new Random(seed)))
                .limit(3)
                .toList();
        for (Load load : loads) {
            load.queue.injectMore(100);
            load.queue.add();
        }
        runtime.await(() -> false, LONG);
        assertThat(loads).allMatch(load -> load.queue.added() == 101).allMatch(Load::isDone);
    }

    @Test
    void noCompletionIsLostAmongThreads() throws InterruptedException {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            Scheduler scheduler =
                    new Scheduler(runtime.extension(CallerRuns.class).orElseThrow(), 2);
            Random never = new Random(1);
            List<Load> loads =
                    Stream.generate(() -> new Load(scheduler, never)).limit(4).toList();
            List<Thread> producers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Load load = loads.get(i % loads.size());
                producers.add(Thread.ofPlatform().start(() -> {
                    for (int n = 0; n < 5000; n++) {
                        load.queue.add();
                    }
                }));
            }
            for (Thread producer : producers) {
                producer.join();
            }
            assertThat(runtime.await(() -> loads.stream().allMatch(Load::isDone), LONG))
                    .isTrue();
            assertThat(loads).allMatch(load -> load.queue.added() == 10_000);
        }
    }

    @Test
    void aBusyOneDoesNotKeepTheOthersWaiting() throws InterruptedException {
        VirtualRuntime runtime = new VirtualRuntime(1);
        Scheduler scheduler = new Scheduler(runtime.extension(CallerRuns.class).orElseThrow(), 1);
        List<String> turns = new ArrayList<>();
        Scheduler.Source busy = source(scheduler, () -> turns.add("busy") && turns.size() < 50);
        Scheduler.Source modest = source(
                scheduler,
                () -> turns.add("modest")
                        && turns.stream().filter("modest"::equals).count() < 3);
        runtime.schedule(Duration.ZERO, () -> {
            busy.ready();
            modest.ready();
        });
        runtime.await(() -> false, LONG);
        assertThat(turns.subList(0, 6)).containsExactly("busy", "modest", "busy", "modest", "busy", "modest");
        assertThat(turns).hasSize(50);
    }

    /** After {@link Scheduler#TURNS} turns a scheduler lets other tasks of the runtime run first. */
    @Test
    void othersOfTheRuntimeGetTheirTurn() throws InterruptedException {
        VirtualRuntime runtime = new VirtualRuntime(1);
        Scheduler scheduler = new Scheduler(runtime.extension(CallerRuns.class).orElseThrow(), 1);
        int[] turns = new int[1];
        List<Integer> seen = new ArrayList<>();
        // Two tasks that schedule each other, since a task that schedules itself would run before all others.
        VerbsRuntime.SerialTask[] other = new VerbsRuntime.SerialTask[2];
        for (int i = 0; i < 2; i++) {
            int partner = 1 - i;
            other[i] = runtime.newSerialTask(() -> {
                seen.add(turns[0]);
                if (seen.size() < 5) {
                    other[partner].schedule();
                }
            });
        }
        runtime.schedule(Duration.ZERO, () -> {
            source(scheduler, () -> ++turns[0] < 1000).ready();
            other[0].schedule();
        });
        runtime.await(() -> false, LONG);
        assertThat(seen).containsExactly(100, 200, 300, 400, 500);
        assertThat(turns[0]).isEqualTo(1000);
    }

    @Test
    void aTurnThatThrowsIsNotTheLast() {
        VirtualRuntime runtime = new VirtualRuntime(1);
        Scheduler scheduler = new Scheduler(runtime.extension(CallerRuns.class).orElseThrow(), 1);
        int[] turns = new int[1];
        Scheduler.Source source = source(scheduler, () -> {
            turns[0]++;
            if (turns[0] == 3) {
                throw new IllegalStateException("on purpose");
            }
            return turns[0] < 7;
        });
        runtime.schedule(Duration.ZERO, source::ready);
        assertThatThrownBy(() -> runtime.await(() -> false, LONG)).hasMessage("on purpose");
        assertThat(turns[0]).isEqualTo(3);
        assertThat(awaitQuietly(runtime)).isFalse();
        assertThat(turns[0]).isEqualTo(7);
    }

    private static Scheduler.Source source(Scheduler scheduler, BooleanSupplier turn) {
        return new Scheduler.Source(scheduler) {
            @Override
            boolean turn() {
                return turn.getAsBoolean();
            }
        };
    }

    private static boolean awaitQuietly(VirtualRuntime runtime) {
        try {
            return runtime.await(() -> false, LONG);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
