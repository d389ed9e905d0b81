// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tasks that are requested, run and disabled at the same moment. Their fields are plain on purpose. */
public final class TaskStress {
    private TaskStress() {}

    /** A task with two pieces of work, and a queue that a thread must read. */
    private static final class Bench implements TaskHost {
        final RuntimeTask task = new RuntimeTask(this, this::pass, true);
        final AtomicInteger queued = new AtomicInteger();
        final AtomicInteger running = new AtomicInteger();
        int first;
        int second;
        int closed;

        int firstSeen;
        int secondSeen;
        int faults;

        private boolean pass() {
            faults += running.getAndIncrement() + closed;
            firstSeen = first;
            secondSeen = second;
            running.decrementAndGet();
            return false;
        }

        /** Runs the task if it is in the queue. */
        void work() {
            int length = queued.get();
            if (length > 0 && queued.compareAndSet(length, length - 1)) {
                task.runQueued();
            }
        }

        void workOff() {
            while (queued.get() > 0) {
                work();
            }
        }

        @Override
        public void enqueue(RuntimeTask added) {
            // Being queued twice would be wrong as well.
            running.addAndGet(1000 * queued.getAndIncrement());
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

    /** A request for a run while one ends is honoured: one of both threads sees the work of both. */
    @JCStressTest
    @Outcome(id = "11, 0", expect = Expect.ACCEPTABLE, desc = "all work seen")
    @State
    public static class Arm {
        private final Bench bench = new Bench();

        @Actor
        public void first() {
            bench.first = 1;
            bench.task.run();
        }

        @Actor
        public void second() {
            bench.second = 1;
            bench.task.run();
        }

        @Arbiter
        public void allWasSeen(II_Result result) {
            bench.workOff();
            result.r1 = 10 * bench.firstSeen + bench.secondSeen;
            result.r2 = bench.faults + bench.running.get();
        }
    }

    /** The same when a worker takes the task from the queue. */
    @JCStressTest
    @Outcome(id = "11, 0", expect = Expect.ACCEPTABLE, desc = "all work seen")
    @State
    public static class Queue {
        private final Bench bench = new Bench();

        public Queue() {
            bench.first = 1;
            bench.task.schedule();
        }

        @Actor
        public void worker() {
            bench.work();
        }

        @Actor
        public void scheduler() {
            bench.second = 1;
            bench.task.schedule();
        }

        @Arbiter
        public void allWasSeen(II_Result result) {
            bench.workOff();
            result.r1 = 10 * bench.firstSeen + bench.secondSeen;
            result.r2 = bench.faults + bench.running.get();
        }
    }

    /** A thread that begins a run and ends it without a pass makes the passes that were requested meanwhile. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the work seen")
    @State
    public static class End {
        private final Bench bench = new Bench();

        @Actor
        public void keeper() {
            if (bench.task.tryBegin()) {
                bench.faults += bench.running.getAndIncrement();
                bench.running.decrementAndGet();
                bench.task.end();
            }
        }

        @Actor
        public void scheduler() {
            bench.second = 1;
            bench.task.schedule();
        }

        @Arbiter
        public void itWasDone(II_Result result) {
            bench.workOff();
            result.r1 = bench.secondSeen;
            result.r2 = bench.faults + bench.running.get();
        }
    }

    /** After {@code disable()} the task does not run until it is enabled. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "disabled before it ran")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "ran before it was disabled")
    @State
    public static class Disable {
        private final Bench bench = new Bench();

        @Actor
        public void run() {
            bench.first = 1;
            bench.task.run();
        }

        @Actor
        public void disable() {
            bench.task.disable();
            bench.closed = 1;
        }

        @Arbiter
        public void noneRanAfterwards(II_Result result) {
            bench.workOff();
            result.r1 = bench.firstSeen;
            result.r2 = bench.faults + bench.running.get();
        }
    }

    /** Work requested after {@code enable()} is done, regardless of what happened in between. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the work seen")
    @State
    public static class Enable {
        private final Bench bench = new Bench();

        @Actor
        public void run() {
            bench.first = 1;
            bench.task.run();
        }

        @Actor
        public void reset() {
            bench.task.disable();
            bench.task.enable();
            bench.second = 1;
            bench.task.schedule();
        }

        @Arbiter
        public void itWasDone(II_Result result) {
            bench.workOff();
            result.r1 = bench.secondSeen;
            result.r2 = bench.faults + bench.running.get();
        }
    }
}
