// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.threads;

import dev.verbena.verbs.Notification;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Posting, polling, arming, failing and closing at the same moment, as in a program with two threads. */
public final class DeviceStress {
    private DeviceStress() {}

    /** Arming, then polling once more, misses no completion: either the poll finds it or the handler is called. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "polled")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "announced")
    @State
    public static class ArmAndComplete {
        private final AtomicInteger announced = new AtomicInteger();
        private final Loop loop = new Loop(queue -> announced.incrementAndGet());

        @Actor
        public void post() {
            loop.post(1);
        }

        @Actor
        public void arm(II_Result result) {
            loop.queue().requestNotification(Notification.NEXT_COMPLETION);
            result.r1 = loop.poll();
        }

        @Arbiter
        public void wasTold(II_Result result) {
            boolean told = result.r1 == 1 || loop.await(() -> announced.get() == 1);
            boolean there = loop.await(1) == 0b10;
            result.r2 = told && there && announced.get() <= 1 ? 1 : 0;
            loop.close();
        }
    }

    /** All posts of two threads are accepted, and each request completes once. */
    @JCStressTest
    @Outcome(id = "2, 6, 2", expect = Expect.ACCEPTABLE, desc = "both accepted, each completed once")
    @State
    public static class PostAndPost {
        private final Loop loop = new Loop();
        private int first;
        private int second;

        @Actor
        public void first() {
            first = loop.post(1);
        }

        @Actor
        public void second() {
            second = loop.post(2);
        }

        @Arbiter
        public void bothCompleted(III_Result result) {
            result.r1 = first + second;
            result.r2 = loop.await(2);
            loop.close();
            result.r3 = loop.completions();
        }
    }

    /** A request posted while another thread polls is found by one of the polls, once. */
    @JCStressTest
    @Outcome(id = "6, 2", expect = Expect.ACCEPTABLE, desc = "each found once")
    @State
    public static class PostAndPoll {
        private final Loop loop = new Loop();

        @Actor
        public void post() {
            loop.post(1);
            loop.post(2);
        }

        @Actor
        public void poll() {
            loop.poll();
            loop.poll();
        }

        @Arbiter
        public void bothWereFound(II_Result result) {
            result.r1 = loop.await(2);
            loop.close();
            result.r2 = loop.completions();
        }
    }

    /** A request accepted while the queue pair moves to ERR completes nevertheless. */
    @JCStressTest
    @Outcome(id = "2, 6, 2", expect = Expect.ACCEPTABLE, desc = "both accepted, both completed")
    @State
    public static class PostAndFail {
        private final Loop loop = new Loop();
        private int taken;

        @Actor
        public void post() {
            taken = loop.post(1) + loop.postReceive(2);
        }

        @Actor
        public void fail() {
            loop.fail();
        }

        @Arbiter
        public void allCompleted(III_Result result) {
            result.r1 = taken;
            result.r2 = loop.await(2);
            loop.close();
            result.r3 = loop.completions();
        }
    }

    /** A post finds the queue pair closed or is accepted; no request completes after {@code close()} has returned. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "accepted")
    @State
    public static class PostAndClose {
        private final Loop loop = new Loop();

        @Actor
        public void post(II_Result result) {
            result.r1 = loop.post(1);
        }

        @Actor
        public void close() {
            loop.closeQueuePair();
            loop.poll();
        }

        @Arbiter
        public void nothingCameLater(II_Result result) {
            result.r2 = loop.poll();
            loop.close();
        }
    }

    /**
     * A poll of a queue that is being closed takes the completion or fails because it is closed; closing never fails.
     */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "closed first")
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "polled first")
    @State
    public static class PollAndClose {
        private final Loop loop = new Loop();

        public PollAndClose() {
            loop.post(1);
        }

        @Actor
        public void poll(I_Result result) {
            try {
                result.r1 = loop.await(1) == 0b10 ? 1 : 2;
            } catch (IllegalStateException closed) {
                result.r1 = 0;
            }
        }

        @Actor
        public void close() {
            loop.close();
        }
    }
}
