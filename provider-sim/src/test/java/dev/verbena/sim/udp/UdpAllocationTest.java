// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Posting, sending through sockets, receiving and polling allocate nothing, in any thread of the process. */
@Tag("udp")
class UdpAllocationTest {
    /** The time for compiling all code, even if the compiler rarely gets a processor. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int OPERATIONS = 1000;

    /** The bytes of all operations of a round together. */
    private static final long TOLERATED_BYTES = 10;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static Iterable<Loopback> places() {
        return Loopback.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void aMessageOverUdpDoesNotAllocate(Loopback place) throws VerbsException {
        assumeThat(threads.isThreadAllocatedMemorySupported()).isTrue();
        try (UdpLab lab = new UdpLab(place)) {
            Node left = lab.node(0);
            Node right = lab.node(1);
            Endpoint from = left.endpoint();
            Endpoint to = right.endpoint();
            from.connect(to, Connection.USUAL);
            Exchange exchange = new Exchange(from, to);
            long least = Long.MAX_VALUE;
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (least > TOLERATED_BYTES && System.nanoTime() < deadline) {
                long before = threads.getTotalThreadAllocatedBytes();
                for (int i = 0; i < OPERATIONS; i++) {
                    exchange.run();
                }
                long now = threads.getTotalThreadAllocatedBytes() - before;
                least = Math.min(least, now);
            }
            assertThat(least).isLessThanOrEqualTo(TOLERATED_BYTES);
        }
    }

    /** One message at a time. */
    private static final class Exchange {
        private final Endpoint from;
        private final Endpoint to;
        private final SendRequests sends;
        private final ReceiveRequests receives;
        private final WorkCompletions sent;
        private final WorkCompletions received;

        Exchange(Endpoint from, Endpoint to) {
            this.from = from;
            this.to = to;
            sends = from.qp().newSendRequests(1);
            receives = to.qp().newReceiveRequests(1);
            sent = from.qp().sendCq().newCompletions(1);
            received = to.qp().receiveCq().newCompletions(1);
        }

        /** Posts by the long form: the short one is a default method, and default methods of mocked types allocate. */
        void run() {
            receives.get(0).clear().sge(to.node().region(), 0, 64);
            assertOne(to.qp().postReceive(receives, 0, 1));
            sends.get(0).send().signaled().sge(from.node().region(), 0, 64);
            assertOne(from.qp().postSend(sends, 0, 1));
            await(to.qp().receiveCq(), received);
            await(from.qp().sendCq(), sent);
        }

        private static void assertOne(int count) {
            if (count != 1) {
                throw new AssertionError("nothing was posted");
            }
        }

        private static void await(CompletionQueue queue, WorkCompletions into) {
            while (queue.poll(into) == 0) {
                Thread.onSpinWait();
            }
            if (!into.get(0).isSuccess()) {
                throw new AssertionError(into.get(0).explain().toString());
            }
        }
    }
}
