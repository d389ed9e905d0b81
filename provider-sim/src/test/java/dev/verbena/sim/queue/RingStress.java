// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** One producer and one consumer of a ring without any lock. */
public final class RingStress {
    private RingStress() {}

    private static WorkQueue newQueue() {
        return new WorkQueue(1, Integer.BYTES);
    }

    private static void produce(WorkQueue queue, int value) {
        Slots entry = new Slots(Integer.BYTES);
        entry.setInt(0, value);
        queue.fill(entry, 0, Integer.BYTES);
        queue.produce();
    }

    private static int consume(WorkQueue queue) {
        if (queue.isEmpty()) {
            return 0;
        }
        int value = queue.slots().getInt(queue.offset(queue.consumer()));
        queue.consume();
        return value;
    }

    /** A thread that sees an entry sees its content. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing published yet")
    @Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "the entry and its content")
    @State
    public static class Publish {
        private final WorkQueue queue = newQueue();

        @Actor
        public void producer() {
            produce(queue, 7);
        }

        @Actor
        public void consumer(II_Result result) {
            result.r1 = queue.count();
            result.r2 = result.r1 == 0 ? 0 : consume(queue);
        }
    }

    /** A slot is not filled again before its entry has been read. */
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "one entry read, the other unread or never added")
    @Outcome(id = "1, 2, 1", expect = Expect.ACCEPTABLE, desc = "both entries read")
    @State
    public static class Reuse {
        private final WorkQueue queue = newQueue();
        private int produced = 1;
        private int consumed;

        public Reuse() {
            produce(queue, 1);
        }

        @Actor
        public void producer() {
            for (int attempt = 0; attempt < 200; attempt++) {
                if (produced < 3 && !queue.isFull()) {
                    produce(queue, ++produced);
                }
            }
        }

        @Actor
        public void consumer(III_Result result) {
            result.r1 = consume(queue);
            result.r2 = consume(queue);
            consumed = (result.r1 == 0 ? 0 : 1) + (result.r2 == 0 ? 0 : 1);
        }

        @Arbiter
        public void nothingWasLost(III_Result result) {
            result.r3 = produced - consumed == queue.count() ? 1 : 0;
        }
    }
}
