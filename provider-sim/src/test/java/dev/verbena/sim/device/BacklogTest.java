// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.cm.MadPort;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Packets that arrive faster than they are processed are dropped and counted once a queue pair's queue of packets is
 * full.
 */
class BacklogTest {
    private static final int QUEUE = 1024;
    private static final int TOO_MANY = 7;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void packetsBeyondAFullQueueAreDroppedAndCounted() throws Exception {
        try (Lab lab = new Lab(new ThreadRuntime(1))) {
            Node left = lab.node("sim0", "192.0.2.1");
            Node right = lab.node("sim1", "192.0.2.2");
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch free = new CountDownLatch(1);
            AtomicInteger taken = new AtomicInteger();
            right.simDevice().madPort().receiver((source, destination, mad) -> {
                taken.incrementAndGet();
                busy.countDown();
                await(free);
            });
            send(left, right, 1);
            await(busy);
            send(left, right, QUEUE + TOO_MANY);
            assertThat(right.count(Counter.DROPPED_BACKLOG)).isEqualTo(TOO_MANY);
            free.countDown();
            assertThat(lab.until(() -> taken.get() == 1 + QUEUE, PATIENCE)).isTrue();
            assertThat(right.count(Counter.RCVD_PKTS)).isEqualTo(1 + QUEUE + TOO_MANY);
        }
    }

    private static void send(Node from, Node to, int count) {
        MadPort port = from.simDevice().madPort();
        Gid source = from.address();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mad = arena.allocate(256);
            for (int i = 0; i < count; i++) {
                port.send(source, to.address(), mad);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
