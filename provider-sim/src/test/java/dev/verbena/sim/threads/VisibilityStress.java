// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.threads;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The chapter on visibility of {@code dev.verbena.verbs}: the first result announces the data, the second one is the
 * data. A run on x86-64 proves nothing about aarch64, which reorders more.
 */
public final class VisibilityStress {
    private VisibilityStress() {}

    /** A thread that reads the flag of a second RDMA WRITE with acquire semantics sees the data of the first one. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "read before the write")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "written between the reads")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read after the write")
    @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "without the data")
    @State
    public static class FlagBySecondWrite {
        private final Mailbox mailbox = new Mailbox();

        @Actor
        public void post() {
            mailbox.writeDataThenFlag();
        }

        @Actor
        public void read(II_Result result) {
            result.r1 = mailbox.flag();
            result.r2 = mailbox.data();
        }

        @Arbiter
        public void close() {
            mailbox.close();
        }
    }

    /** A thread that reads the result of an atomic operation sees the data of the RDMA WRITE before it. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "read before the write")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "written between the reads")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read after the write")
    @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "without the data")
    @State
    public static class FlagByAtomic {
        private final Mailbox mailbox = new Mailbox();

        @Actor
        public void post() {
            mailbox.writeDataThenAddToFlag();
        }

        @Actor
        public void read(II_Result result) {
            result.r1 = mailbox.atomicFlag();
            result.r2 = mailbox.data();
        }

        @Arbiter
        public void close() {
            mailbox.close();
        }
    }

    /** A thread that polls the completion of a receive sees the data of the RDMA WRITE before the SEND. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "read before the write")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "written between the reads")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read after the write")
    @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "without the data")
    @State
    public static class CompletionOfSend {
        private final Mailbox mailbox = new Mailbox();

        @Actor
        public void post() {
            mailbox.writeDataThenSend();
        }

        @Actor
        public void read(II_Result result) {
            result.r1 = mailbox.poll();
            result.r2 = mailbox.data();
        }

        @Arbiter
        public void close() {
            mailbox.close();
        }
    }

    /** A thread that polls the completion of an RDMA WRITE with immediate data sees its data. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "read before the write")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "written between the reads")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read after the write")
    @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "without the data")
    @State
    public static class CompletionOfImmediate {
        private final Mailbox mailbox = new Mailbox();

        @Actor
        public void post() {
            mailbox.writeDataWithImmediate();
        }

        @Actor
        public void read(II_Result result) {
            result.r1 = mailbox.poll();
            result.r2 = mailbox.data();
        }

        @Arbiter
        public void close() {
            mailbox.close();
        }
    }

    /** A thread to which the polling thread passed the completion, by a release and an acquire, sees the data. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "read before the write")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "written between the reads")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read after the write")
    @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "without the data")
    @State
    public static class OtherThreadReads {
        private final Mailbox mailbox = new Mailbox();
        private final AtomicInteger passed = new AtomicInteger();

        // One actor, because jcstress skips a test with more actors than processors.
        @Actor
        public void postAndPoll() {
            mailbox.writeDataWithImmediate();
            passed.setRelease(mailbox.poll());
        }

        @Actor
        public void read(II_Result result) {
            result.r1 = passed.getAcquire();
            result.r2 = mailbox.data();
        }

        @Arbiter
        public void close() {
            mailbox.close();
        }
    }
}
