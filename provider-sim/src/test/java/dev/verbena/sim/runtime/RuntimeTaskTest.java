// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;

/** The state machine of tasks, against a model that has three booleans instead of a state word. */
class RuntimeTaskTest {
    enum Action {
        SCHEDULE,
        RUN,
        DISABLE,
        ENABLE,
        /** Begins a run and parks the task with deferred state. */
        KEEP,
        /** Resumes a parked task, and parks it with more deferred state. */
        RESUME,
        FLUSH_DEFERRED,
        AWAIT_REQUESTED_RUN,
        /** Lets the thread of the runtime run the queued tasks. */
        DRIVE
    }

    /** The actions of one pass, and whether it requests another. */
    record Step(List<Action> actions, boolean more) {}

    /** The actions from outside, and those of the passes in order; later passes have none. */
    record Script(List<Action> actions, List<Step> steps) {}

    @Provide
    Arbitrary<Script> scripts() {
        Arbitrary<Action> inside = Arbitraries.of(
                Action.SCHEDULE,
                Action.RUN,
                Action.DISABLE,
                Action.ENABLE,
                Action.KEEP,
                Action.RESUME,
                Action.FLUSH_DEFERRED,
                Action.AWAIT_REQUESTED_RUN);
        Arbitrary<Step> step = Combinators.combine(inside.list().ofMaxSize(3), Arbitraries.of(true, false))
                .as(Step::new);
        return Combinators.combine(
                        Arbitraries.of(Action.class).list().ofMaxSize(30),
                        step.list().ofMaxSize(30))
                .as(Script::new);
    }

    @Property(tries = 5000)
    void aTaskDoesWhatItsModelDoes(@ForAll("scripts") Script script) throws InterruptedException {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            Real real = new Real(runtime, script.steps());
            Model model = new Model(script.steps());
            for (Action action : script.actions()) {
                real.perform(action);
                model.perform(action);
                assertThat(real.toString()).as("after %s", action).isEqualTo(model.toString());
                Statistics.label("state").collect(model.state());
            }
        }
    }

    @Test
    void settlingThatThrowsIsReportedAndTheTaskRunsOn() {
        AtomicInteger passes = new AtomicInteger();
        JumpingRuntime runtime = new JumpingRuntime(1, 1000);
        IllegalStateException defect = new IllegalStateException("defect");
        ProgressTask task = runtime.newProgressTask(() -> passes.incrementAndGet() < 0);
        task.setDeferredFlush(() -> {
            throw defect;
        });
        Runnable keeping = () -> {
            assertThat(task.tryBegin()).isTrue();
            assertThat(task.park()).isTrue();
        };
        keeping.run();
        task.run();
        keeping.run();
        task.schedule();
        runtime.await(() -> false, Duration.ofSeconds(1));
        keeping.run();
        task.flushDeferred();
        assertThat(passes).hasValue(2);
        assertThat(runtime.failures()).containsExactly(defect, defect, defect);
        assertThat(task).hasToString("IDLE");
    }

    /** The task under test. */
    private static final class Real {
        private final VirtualRuntime runtime;
        private final Queue<Step> steps;
        private final ProgressTask task;
        private final List<String> statesInPasses = new ArrayList<>();
        private int leftOver;

        Real(VirtualRuntime runtime, List<Step> steps) {
            this.runtime = runtime;
            this.steps = new ArrayDeque<>(steps);
            task = runtime.newProgressTask(this::pass);
            task.setDeferredFlush(this::flushDeferred);
        }

        private void flushDeferred() {
            statesInPasses.add(leftOver + " flushed");
            leftOver = 0;
        }

        private void keep(boolean begun) {
            if (begun) {
                leftOver++;
                assertThat(task.isRunRequested()).isFalse();
                assertThat(task.park()).isTrue();
            }
        }

        private boolean pass() {
            Step step = steps.poll();
            statesInPasses.add(task.toString());
            if (step != null) {
                step.actions().forEach(this::apply);
            }
            return step != null && step.more();
        }

        void perform(Action action) throws InterruptedException {
            if (action == Action.DRIVE) {
                runtime.await(() -> false, Duration.ZERO);
            } else {
                apply(action);
            }
        }

        private void apply(Action action) {
            switch (action) {
                case SCHEDULE -> task.schedule();
                case RUN -> task.run();
                case DISABLE -> task.disable();
                case ENABLE -> task.enable();
                case KEEP -> keep(task.tryBegin());
                case RESUME -> keep(task.tryUnpark());
                case FLUSH_DEFERRED -> task.flushDeferred();
                case AWAIT_REQUESTED_RUN -> task.awaitRequestedRun();
                case DRIVE -> throw new AssertionError("a pass cannot drive");
            }
        }

        @Override
        public String toString() {
            return task + " " + statesInPasses;
        }
    }

    /** A simple model of a task. */
    private static final class Model {
        private final Queue<Step> steps;
        private final List<String> statesInPasses = new ArrayList<>();
        private boolean wanted;
        private boolean running;
        private boolean disabled;
        private boolean parked;
        private int leftOver;

        Model(List<Step> steps) {
            this.steps = new ArrayDeque<>(steps);
        }

        void perform(Action action) {
            switch (action) {
                case SCHEDULE -> wanted |= !disabled;
                case RUN -> {
                    if (isIdle()) {
                        makePasses();
                    } else {
                        wanted |= !disabled;
                    }
                }
                case DISABLE -> {
                    disabled = true;
                    wanted = false;
                    flushDeferred();
                }
                case ENABLE -> disabled = false;
                case KEEP -> {
                    if (isIdle()) {
                        flushDeferred();
                        parked = true;
                        leftOver++;
                    }
                }
                case RESUME -> {
                    if (isIdle() && parked) {
                        leftOver++;
                    }
                }
                case FLUSH_DEFERRED -> flushDeferred();
                case AWAIT_REQUESTED_RUN, DRIVE -> {
                    if (wanted && !running) {
                        makePasses();
                    }
                }
            }
        }

        private boolean isIdle() {
            return !disabled && !wanted && !running;
        }

        private void flushDeferred() {
            if (parked) {
                parked = false;
                statesInPasses.add(leftOver + " flushed");
                leftOver = 0;
            }
        }

        private void makePasses() {
            flushDeferred();
            running = true;
            boolean more = true;
            while (!disabled && (more || wanted)) {
                wanted = false;
                statesInPasses.add(state());
                Step step = steps.poll();
                if (step != null) {
                    step.actions().forEach(this::perform);
                }
                more = step != null && step.more();
            }
            running = false;
        }

        String state() {
            if (disabled) {
                return running ? "DRAINING" : "DRAINED";
            }
            if (wanted) {
                return running ? "ARMED" : "BUSY";
            }
            return running ? "BUSY" : "IDLE";
        }

        @Override
        public String toString() {
            return state() + " " + statesInPasses;
        }
    }

    @Test
    void awaitRequestedRunWaitsForTheOwnerInAnotherThread() throws InterruptedException {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            AtomicInteger passes = new AtomicInteger();
            ProgressTask task = runtime.newProgressTask(() -> passes.incrementAndGet() < 0);
            AtomicInteger seen = new AtomicInteger();
            Thread waiting = new Thread(() -> {
                task.awaitRequestedRun();
                seen.set(passes.get());
            });
            assertThat(task.tryBegin()).isTrue();
            waiting.start();
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            task.finish();
            waiting.join();
            assertThat(seen).hasValue(1);
        }
    }

    /** A pass is requested while a run creates deferred state: the state is written back first. */
    @Test
    void deferredStateIsWrittenBackBeforeARequestedPass() {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            List<String> done = new ArrayList<>();
            ProgressTask task = runtime.newProgressTask(() -> {
                done.add("pass");
                return false;
            });
            task.setDeferredFlush(() -> done.add("flushed"));
            assertThat(task.tryBegin()).isTrue();
            assertThat(task.isRunRequested()).isFalse();
            task.schedule();
            assertThat(task.isRunRequested()).isTrue();
            assertThat(task.park()).isFalse();
            assertThat(done).containsExactly("flushed", "pass");
            assertThat(task.tryUnpark()).isFalse();
        }
    }

    @Test
    void aTaskWithoutEndGoesToTheBackOfTheQueueAfter1024Passes() throws InterruptedException {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            int[] passes = {0};
            List<Integer> seen = new ArrayList<>();
            ProgressTask endless = runtime.newProgressTask(() -> ++passes[0] % 5000 != 0);
            ProgressTask other = runtime.newProgressTask(() -> {
                seen.add(passes[0]);
                return false;
            });
            endless.schedule();
            other.schedule();
            runtime.await(() -> false, Duration.ZERO);
            assertThat(seen).containsExactly(1024);
            assertThat(passes[0]).isEqualTo(5000);

            endless.run();
            assertThat(passes[0]).as("inline, too").isEqualTo(5000 + 1024);
            assertThat(endless).hasToString("BUSY");
        }
    }

    @Test
    void inlineRunsNestFourDeepAndThenGoThroughTheQueue() throws InterruptedException {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            List<String> log = new ArrayList<>();
            List<ProgressTask> tasks = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int number = i;
                tasks.add(runtime.newProgressTask(() -> {
                    log.add("begin " + number);
                    if (number < 5) {
                        tasks.get(number + 1).run();
                    }
                    log.add("end " + number);
                    return false;
                }));
            }
            tasks.getFirst().run();
            assertThat(log)
                    .containsExactly("begin 0", "begin 1", "begin 2", "begin 3", "end 3", "end 2", "end 1", "end 0");
            log.clear();
            runtime.await(() -> false, Duration.ZERO);
            assertThat(log).containsExactly("begin 4", "begin 5", "end 5", "end 4");
        }
    }

    @Test
    void aPassThatThrowsLeavesTheTaskUsable() {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            int[] passes = {0};
            ProgressTask task = runtime.newProgressTask(() -> {
                if (passes[0]++ == 0) {
                    throw new IllegalArgumentException("broken");
                }
                return false;
            });
            task.run();
            assertThat(task).hasToString("IDLE");
            task.run();
            assertThat(passes[0]).isEqualTo(2);
            assertThat(runtime)
                    .satisfies(r -> org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                            .isThrownBy(() -> r.await(() -> true, Duration.ZERO)));
        }
    }

    @Test
    void aCancelledSerialTaskStaysCancelled() throws InterruptedException {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            int[] runs = {0};
            var task = runtime.newSerialTask(() -> runs[0]++);
            task.schedule();
            task.schedule();
            runtime.await(() -> false, Duration.ZERO);
            assertThat(runs[0]).isEqualTo(1);
            task.schedule();
            task.cancel();
            task.cancel();
            task.schedule();
            runtime.await(() -> false, Duration.ZERO);
            assertThat(runs[0]).isEqualTo(1);
        }
    }
}
