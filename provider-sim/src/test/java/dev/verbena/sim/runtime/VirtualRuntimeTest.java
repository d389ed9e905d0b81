// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class VirtualRuntimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final List<String> log = new ArrayList<>();

    private void logs(String what) {
        log.add(runtime.nanoTime() + " " + what);
    }

    private Alarm alarm(String name, long nanoTime) {
        Alarm alarm = runtime.newAlarm(() -> logs(name));
        alarm.set(nanoTime);
        return alarm;
    }

    private boolean runUntil(long nanoTime) throws InterruptedException {
        return runtime.await(() -> false, Duration.ofNanos(nanoTime - runtime.nanoTime()));
    }

    @Test
    void startsAtZeroOnTheFirstOfJanuary2026() {
        assertThat(runtime.isVirtual()).isTrue();
        assertThat(runtime.nanoTime()).isZero();
        assertThat(runtime.now()).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void timeAdvancesOnlyDuringAwait() {
        alarm("a", 5);
        runtime.newSerialTask(() -> logs("task")).schedule();
        assertThat(runtime.nanoTime()).isZero();
        assertThat(log).isEmpty();
    }

    @Test
    void alarmsGoOffByTimeAndThenInTheOrderOfSetting() throws InterruptedException {
        alarm("late", 30);
        alarm("first of two", 20);
        alarm("second of two", 20);
        alarm("early", 10);
        assertThat(runUntil(40)).isFalse();
        assertThat(log).containsExactly("10 early", "20 first of two", "20 second of two", "30 late");
        assertThat(runtime.now()).isEqualTo(VirtualRuntime.START.plusNanos(40));
    }

    @Test
    void settingAnAlarmAgainMovesIt() throws InterruptedException {
        Alarm later = alarm("later", 10);
        Alarm sooner = alarm("sooner", 90);
        later.set(50);
        sooner.set(20);
        runUntil(100);
        assertThat(log).containsExactly("20 sooner", "50 later");
    }

    @Test
    void aClearedAlarmDoesNotGoOffAndCanBeSetAgain() throws InterruptedException {
        Alarm alarm = alarm("a", 10);
        alarm.clear();
        runUntil(20);
        assertThat(log).isEmpty();
        alarm.set(30);
        runUntil(40);
        assertThat(log).containsExactly("30 a");
    }

    @Test
    void anAlarmForThePastGoesOffNow() throws InterruptedException {
        runUntil(100);
        alarm("a", 50);
        alarm("never", Long.MAX_VALUE);
        runUntil(101);
        assertThat(log).containsExactly("100 a");
    }

    @Test
    void tasksRunInOrderBeforeTimeMoves() throws InterruptedException {
        VerbsRuntime.SerialTask second = runtime.newSerialTask(() -> logs("second"));
        VerbsRuntime.SerialTask first = runtime.newSerialTask(() -> {
            logs("first");
            second.schedule();
        });
        alarm("alarm", 1);
        first.schedule();
        runtime.newSerialTask(() -> logs("other")).schedule();
        runUntil(2);
        assertThat(log).containsExactly("0 first", "0 other", "0 second", "1 alarm");
    }

    @Test
    void awaitReturnsAsSoonAsTheConditionHolds() throws InterruptedException {
        alarm("a", 10);
        alarm("b", 20);
        assertThat(runtime.await(() -> log.size() == 1, SECOND)).isTrue();
        assertThat(runtime.nanoTime()).isEqualTo(10);
    }

    @Test
    void awaitRunsWhatIsDueAtTheDeadlineAndStopsThere() throws InterruptedException {
        alarm("at", 10);
        alarm("after", 11);
        assertThat(runtime.await(() -> false, Duration.ofNanos(10))).isFalse();
        assertThat(log).containsExactly("10 at");
        assertThat(runtime.nanoTime()).isEqualTo(10);
    }

    @Test
    void aConditionOfTimeHoldsAtTheDeadline() throws InterruptedException {
        assertThat(runtime.await(() -> runtime.nanoTime() >= 10, Duration.ofNanos(10)))
                .isTrue();
    }

    @Test
    void awaitWithinATaskIsRefused() {
        runtime.newSerialTask(() -> {
                    try {
                        runtime.await(() -> true, SECOND);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                })
                .schedule();
        assertThatIllegalStateException().isThrownBy(() -> runUntil(1)).withMessageContaining("may not wait");
    }

    @Test
    void awaitWithinAnAlarmIsRefused() {
        runtime.schedule(Duration.ZERO, () -> {
            try {
                runtime.await(() -> true, SECOND);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThatIllegalStateException().isThrownBy(() -> runUntil(1)).withMessageContaining("may not wait");
    }

    @Test
    void awaitObeysInterruption() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> runUntil(1)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void awaitThrowsATasksExceptionAndTheOtherTasksStillRun() throws InterruptedException {
        runtime.newSerialTask(() -> {
                    throw new IllegalArgumentException("broken");
                })
                .schedule();
        runtime.newSerialTask(() -> logs("next")).schedule();
        assertThatIllegalArgumentException().isThrownBy(() -> runUntil(1)).withMessage("broken");
        runUntil(1);
        assertThat(log).containsExactly("0 next");
    }

    @Test
    void theNextAwaitThrowsTheExceptionOfAnInlineRun() {
        ProgressTask task = runtime.newProgressTask(() -> {
            throw new IllegalArgumentException("broken");
        });
        task.run();
        assertThatIllegalArgumentException().isThrownBy(() -> runUntil(1)).withMessage("broken");
    }

    @Test
    void aStallLetsTheTimeoutElapseAndCanBeDescribed() throws InterruptedException {
        Registration closedDevice = runtime.onStall(() -> "QP 1 waits for an ACK");
        runtime.onStall(() -> "QP 2 waits for credits");
        runtime.onStall(() -> "");
        closedDevice.close();
        assertThat(runtime.await(() -> false, SECOND)).isFalse();
        assertThat(runtime.nanoTime()).isEqualTo(1_000_000_000);
        assertThat(runtime.describeStall())
                .isEqualTo("at virtual time PT1S: 0 tasks runnable, 0 alarms set\nQP 2 waits for credits");
    }

    @Test
    void aStallOfAnEndlessWaitIsAnError() {
        runtime.onStall(() -> "QP 2 waits for credits");
        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.await(() -> false, Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("QP 2 waits for credits");
    }

    @Test
    void theErrorNamesATaskThatRunsEndlesslyAtOneInstant() throws InterruptedException {
        try (VirtualRuntime guarded = new VirtualRuntime(1, 1000)) {
            guarded.schedule(Duration.ofNanos(5), guarded.newProgressTask(() -> true)::schedule);
            assertThatIllegalStateException()
                    .isThrownBy(() -> guarded.await(() -> false, SECOND))
                    .withMessageStartingWith("time does not advance: 1000 events at one instant, and the next is"
                            + " task of " + getClass().getName())
                    .withMessageContaining("at virtual time PT0.000000005S");
        }
    }

    @Test
    void aRepeatedAlarmForTheSameInstantIsReported() throws InterruptedException {
        try (VirtualRuntime guarded = new VirtualRuntime(1, 1000)) {
            Alarm[] alarm = new Alarm[1];
            alarm[0] = guarded.newAlarm(() -> alarm[0].set(guarded.nanoTime()));
            alarm[0].set(7);
            assertThatIllegalStateException()
                    .isThrownBy(() -> guarded.await(() -> false, SECOND))
                    .withMessageContaining("the next is alarm of " + getClass().getName());
        }
    }

    @Test
    void manyEventsAtManyInstantsAreFine() throws InterruptedException {
        try (VirtualRuntime guarded = new VirtualRuntime(1, 10)) {
            Alarm[] alarm = new Alarm[1];
            alarm[0] = guarded.newAlarm(() -> alarm[0].set(guarded.nanoTime() + 1));
            alarm[0].set(1);
            assertThat(guarded.await(() -> false, Duration.ofNanos(1000))).isFalse();
            assertThat(guarded.events()).isEqualTo(1000);
        }
    }

    @Test
    void aTimerRunsOnceUnlessCancelled() throws InterruptedException {
        VerbsRuntime.Timer kept = runtime.schedule(Duration.ofNanos(10), () -> logs("kept"));
        VerbsRuntime.Timer cancelled = runtime.schedule(Duration.ofNanos(5), () -> logs("cancelled"));
        assertThat(cancelled.cancel()).isTrue();
        runUntil(20);
        assertThat(log).containsExactly("10 kept");
        assertThat(kept.cancel()).isFalse();
        assertThat(cancelled.cancel()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> runtime.schedule(Duration.ofNanos(-1), () -> {}));
    }

    @Test
    void closingForgetsWhatWasScheduled() throws InterruptedException {
        alarm("alarm", 1);
        runtime.newSerialTask(() -> logs("task")).schedule();
        runtime.close();
        runtime.close();
        alarm("later alarm", 2);
        runtime.newSerialTask(() -> logs("later task")).schedule();
        runtime.newProgressTask(() -> log.add("inline")).run();
        assertThat(runtime.await(() -> false, SECOND)).isFalse();
        assertThat(log).isEmpty();
    }

    @Test
    void chanceDependsOnSeedAndPurposeAlone() {
        // Computed outside of Java from the definitions of FNV-1a, MurmurHash3's finalizer and SplitMix64.
        assertThat(firstOf(7, "faults sim0->sim1")).isEqualTo(0x244e_5dab_262a_f7b3L);
        assertThat(firstOf(7, "faults sim1->sim0")).isEqualTo(0x4bd4_7ec0_5b0b_594aL);
        assertThat(firstOf(8, "faults sim0->sim1")).isEqualTo(0xbe60_19ef_129a_0a38L);
    }

    private static long firstOf(long seed, String purpose) {
        return new VirtualRuntime(seed).newRandom(purpose).nextLong();
    }

    @Property(tries = 50)
    void theSameSeedGivesTheSameHistory(@ForAll long seed) throws InterruptedException {
        List<String> history = randomHistory(seed);
        assertThat(history).hasSizeGreaterThan(200).isEqualTo(randomHistory(seed));
        assertThat(randomHistory(seed + 1)).isNotEqualTo(history);
    }

    /** Twenty alarms and tasks that set each other at random. */
    private static List<String> randomHistory(long seed) throws InterruptedException {
        List<String> history = new ArrayList<>();
        try (VirtualRuntime runtime = new VirtualRuntime(seed)) {
            RandomGenerator random = runtime.newRandom("history");
            List<Alarm> alarms = new ArrayList<>();
            List<ProgressTask> tasks = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                int number = i;
                tasks.add(runtime.newProgressTask(() -> {
                    history.add(runtime.nanoTime() + " task " + number);
                    alarms.get(random.nextInt(10)).set(runtime.nanoTime() + random.nextInt(100));
                    if (random.nextInt(4) == 0) {
                        tasks.get(random.nextInt(10)).run();
                    }
                    return random.nextInt(4) == 0;
                }));
                alarms.add(runtime.newAlarm(() -> {
                    history.add(runtime.nanoTime() + " alarm " + number);
                    tasks.get(random.nextInt(10)).schedule();
                    tasks.get(random.nextInt(10)).schedule();
                }));
                alarms.get(i).set(random.nextInt(10));
            }
            runtime.await(() -> history.size() > 1000, Duration.ofMillis(1));
            history.add(runtime.nanoTime() + " end after " + runtime.events());
        }
        return history;
    }
}
