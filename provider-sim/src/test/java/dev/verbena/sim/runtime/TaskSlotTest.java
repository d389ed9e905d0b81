// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The place where a task is handed to a worker that looks for one. */
class TaskSlotTest {
    private static final int ROUNDS = 100_000;

    private final TaskSlot place = new TaskSlot();
    private final RuntimeTask task = newTask();

    private static RuntimeTask newTask() {
        return RuntimeTask.once(
                new TaskHost() {
                    @Override
                    public void enqueue(RuntimeTask task) {
                        throw new AssertionError("nobody schedules it");
                    }

                    @Override
                    public boolean tryEnter() {
                        return false;
                    }

                    @Override
                    public void exit() {
                        throw new AssertionError("nothing was entered");
                    }

                    @Override
                    public void failed(Throwable thrown) {
                        throw new AssertionError(thrown);
                    }
                },
                () -> {});
    }

    @BeforeEach
    void aTaskIsRefusedWhileNoWorkerPolls() {
        assertThat(place.offer(task)).isFalse();
        assertThat(place.steal()).isNull();
    }

    @Test
    void aPollingWorkerGetsOneTask() {
        assertThat(place.open()).isTrue();
        assertThat(place.open()).as("a second one").isFalse();
        assertThat(place.hasEnded()).isFalse();
        assertThat(place.offer(task)).isTrue();
        assertThat(place.offer(newTask())).as("a second one").isFalse();
        assertThat(place.hasEnded()).isTrue();
        assertThat(place.close()).isSameAs(task);
        assertThat(place.close()).isNull();
        assertThat(place.offer(task)).isFalse();
    }

    @Test
    void aStolenTaskIsNotTakenAgain() {
        place.open();
        assertThat(place.steal()).isNull();
        assertThat(place.hasEnded()).isFalse();
        place.offer(task);
        assertThat(place.steal()).isSameAs(task);
        assertThat(place.hasEnded()).isTrue();
        assertThat(place.close()).isNull();
    }

    @Test
    void eachTaskThatWasGivenIsTakenOnceByOneOfTwo() throws InterruptedException {
        AtomicInteger taken = new AtomicInteger();
        int given = 0;
        Thread looks = Thread.ofPlatform().start(() -> {
            while (!Thread.interrupted()) {
                place.open();
                taken.addAndGet(place.close() == null ? 0 : 1);
            }
        });
        Thread steals = Thread.ofPlatform().start(() -> {
            while (!Thread.interrupted()) {
                taken.addAndGet(place.steal() == null ? 0 : 1);
            }
        });
        for (int i = 0; i < ROUNDS; i++) {
            given += place.offer(task) ? 1 : 0;
        }
        looks.interrupt();
        steals.interrupt();
        looks.join();
        steals.join();
        given -= place.close() == null ? 0 : 1;
        assertThat(taken).hasValue(given);
    }
}
