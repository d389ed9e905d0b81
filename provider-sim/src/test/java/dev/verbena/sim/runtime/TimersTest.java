// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The alarms of wall time, driven by hand, against a model that keeps one deadline per alarm. */
class TimersTest {
    private static final int ALARMS = 5;

    /** Sets an alarm for a number of nanoseconds from now, or clears it if negative; then lets time pass. */
    record Step(int alarm, int delay, int pause) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, ALARMS - 1),
                        Arbitraries.integers().between(-20, 100),
                        Arbitraries.integers().between(0, 30))
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }

    @Property
    void alarmsGoOffWhenLastSetForAndEarliestQueuedFirst(@ForAll("steps") List<Step> steps) {
        long[] now = {0};
        int[] earlier = {0};
        long[] fired = new long[ALARMS];
        long[] expected = new long[ALARMS];
        long[] meant = new long[ALARMS];
        Arrays.fill(meant, Deadlines.NEVER);
        Timers timers = new Timers(() -> earlier[0]++);
        List<Alarm> alarms = new ArrayList<>();
        for (int i = 0; i < ALARMS; i++) {
            int number = i;
            Runnable expired = () -> fired[number]++;
            RuntimeTask task = RuntimeTask.once(new InlineHost(), expired);
            alarms.add(timers.newAlarm(task));
        }
        long wait = Deadlines.NEVER;
        for (Step step : steps) {
            int earlierBefore = earlier[0];
            if (step.delay() < 0) {
                alarms.get(step.alarm()).clear();
                meant[step.alarm()] = Deadlines.NEVER;
            } else {
                meant[step.alarm()] = now[0] + step.delay();
                alarms.get(step.alarm()).set(meant[step.alarm()]);
                assertThat(earlier[0] > earlierBefore || wait <= meant[step.alarm()])
                        .as("the owner that waits until %s is notified of %s", wait, meant[step.alarm()])
                        .isTrue();
            }
            now[0] += step.pause();
            for (int i = 0; i < ALARMS; i++) {
                if (meant[i] <= now[0]) {
                    expected[i]++;
                    meant[i] = Deadlines.NEVER;
                }
            }
            wait = timers.runDue(now[0]);
            assertThat(fired).isEqualTo(expected);
            assertThat(wait).isLessThanOrEqualTo(Arrays.stream(meant).min().orElseThrow());
            assertThat(wait).isGreaterThan(now[0]);
        }
        alarms.getFirst().close();
        assertThat(timers.queued()).isLessThan(ALARMS);
        timers.clear();
        assertThat(timers.queued()).isZero();
    }

    @Property
    void alarmsThatAreDueTogetherGoOffByDeadline(@ForAll("steps") List<Step> steps) {
        Timers timers = new Timers(() -> {});
        List<Integer> fired = new ArrayList<>();
        for (Step step : steps) {
            timers.newAlarm(RuntimeTask.once(new InlineHost(), () -> fired.add(step.pause())))
                    .set(step.pause());
        }
        timers.runDue(1000);
        assertThat(fired).hasSize(steps.size()).isSorted();
    }

    @Test
    void aCancelledTimerLeavesNothingInTheHeap() {
        Timers timers = new Timers(() -> {});
        AtomicInteger runs = new AtomicInteger();
        VerbsRuntime.Timer timer = OneShot.schedule(
                expired -> timers.newAlarm(RuntimeTask.once(new InlineHost(), expired)),
                0,
                Duration.ofNanos(10),
                runs::incrementAndGet);
        assertThat(timers.queued()).isEqualTo(1);
        assertThat(timer.cancel()).isTrue();
        assertThat(timers.queued()).isZero();
        timers.runDue(10);
        assertThat(runs).hasValue(0);
    }

    /** Runs tasks as soon as they are queued. */
    private static final class InlineHost implements TaskHost {
        @Override
        public void enqueue(RuntimeTask task) {
            task.runQueued();
        }

        @Override
        public boolean tryEnter() {
            return true;
        }

        @Override
        public void exit() {}

        @Override
        public void failed(Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
