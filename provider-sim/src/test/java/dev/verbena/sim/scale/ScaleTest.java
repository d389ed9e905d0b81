// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The cost of many queue pairs. The default build uses fewer, {@link ScaleSweepTest} all. */
class ScaleTest {
    private static final long KIB = 1024;
    private static final long MOST_PER_QUEUE_PAIR = 64 * KIB;

    /** 50 ms in 10 s. */
    private static final long IDLE_SHARE = 200;

    private static final int WINDOWS = 3;
    private static final long TICKS = 50_000_000;
    private static final QpCapabilities DEPTH_64 = QpCapabilities.of(64, 64);

    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** Returns the number of queue pairs that exist at once. */
    int atOnce() {
        return 1_000;
    }

    /** Returns the number of queue pairs that are created and destroyed. */
    int inTurn() {
        return 20_000;
    }

    /** Returns the time of a measurement without work. */
    Duration window() {
        return Duration.ofSeconds(1);
    }

    @Test
    void anIdleQueuePairOfDepth64TakesAtMost64KibWithItsCompletionQueues() throws VerbsException {
        try (Lab lab = new Lab(new VirtualRuntime(1))) {
            Pairs pairs = new Pairs(lab, DEPTH_64);
            // The first pair loads classes.
            pairs.addWithOwnQueues(1);
            long before = Heap.reachableBytes();
            pairs.addWithOwnQueues(atOnce() / 2);
            long idle = (Heap.reachableBytes() - before) / atOnce();
            for (Pairs.Pair pair : pairs.all()) {
                assertThat(pairs.use(pair)).isTrue();
            }
            long used = (Heap.reachableBytes() - before) / atOnce();
            System.out.printf(
                    "%,d connected queue pairs, depth 64 + 64, two completion queues of 64 each:"
                            + " %,d bytes of heap for each, %,d after use%n",
                    atOnce(), idle, used);
            assertThat(idle).isPositive().isLessThanOrEqualTo(MOST_PER_QUEUE_PAIR);
            assertThat(used).isPositive().isLessThanOrEqualTo(MOST_PER_QUEUE_PAIR);
            pairs.close();
        }
    }

    @Test
    void withASharedCompletionQueueItTakesLess() throws VerbsException {
        try (Lab lab = new Lab(new VirtualRuntime(1))) {
            Pairs pairs = new Pairs(lab, DEPTH_64);
            pairs.addWithSharedQueues(1);
            long before = Heap.reachableBytes();
            pairs.addWithSharedQueues(atOnce() / 2);
            long idle = (Heap.reachableBytes() - before) / atOnce();
            System.out.printf(
                    "%,d connected queue pairs, depth 64 + 64, one completion queue for all:"
                            + " %,d bytes of heap for each%n",
                    atOnce(), idle);
            assertThat(idle).isPositive().isLessThanOrEqualTo(MOST_PER_QUEUE_PAIR * 3 / 4);
            pairs.close();
        }
    }

    @Test
    void idleQueuePairsTakeNoProcessorTime() throws VerbsException, InterruptedException {
        try (Lab lab = new Lab(new ThreadRuntime(1))) {
            Pairs pairs = new Pairs(lab, DEPTH_64);
            Idleness without = watch();
            pairs.addWithSharedQueues(atOnce() / 2);
            for (Pairs.Pair pair : pairs.all()) {
                assertThat(pairs.use(pair)).isTrue();
            }
            Idleness with = watch();
            System.out.printf(
                    "%,d idle queue pairs for %d s: %.3f ms of processor time in the device's threads, %.0f ms in the JVM,"
                            + " which takes %.0f ms without them%n",
                    atOnce(), window().toSeconds(), with.ours / 1e6, with.total / 1e6, without.total / 1e6);
            long most = window().toNanos() / IDLE_SHARE;
            assertThat(with.ours).isNotNegative().isLessThanOrEqualTo(most);
            // The process clock has ticks of this length.
            assertThat(with.total - without.total).isLessThanOrEqualTo(Math.max(most, TICKS));
            pairs.close();
        }
    }

    /** The processor time of the device's threads and of the whole JVM without work. */
    private record Idleness(long ours, long total) {}

    /** Returns the least of {@link #WINDOWS} measurements, because the JVM may still be compiling and collecting. */
    private Idleness watch() throws InterruptedException {
        Idleness least = new Idleness(Long.MAX_VALUE, Long.MAX_VALUE);
        for (int i = 0; i < WINDOWS; i++) {
            long ours = runtimeThreadNanos();
            long total = process.getProcessCpuTime();
            // The latch is never released: this is a pause in which the devices have no work.
            assertThat(new CountDownLatch(1).await(window().toNanos(), TimeUnit.NANOSECONDS))
                    .isFalse();
            least = new Idleness(
                    Math.min(least.ours, runtimeThreadNanos() - ours),
                    Math.min(least.total, process.getProcessCpuTime() - total));
        }
        return least;
    }

    private long runtimeThreadNanos() {
        long sum = 0;
        int found = 0;
        for (var thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith("verbena-sim-")) {
                sum += threads.getThreadCpuTime(thread.getThreadId());
                found++;
            }
        }
        assertThat(found).as("threads of the runtime").isEqualTo(ThreadRuntime.DEFAULT_WORKERS + 1);
        return sum;
    }

    @Test
    void createdAndClosedQueuePairsReleaseTheirMemory() throws VerbsException {
        try (Lab lab = new Lab(new VirtualRuntime(1))) {
            Pairs pairs = new Pairs(lab, QpCapabilities.of(3, 3));
            comeAndGo(pairs, inTurn() / 10);
            long before = Heap.reachableBytes();
            long start = System.nanoTime();
            int count = inTurn() - inTurn() / 10;
            comeAndGo(pairs, count);
            double seconds = (System.nanoTime() - start) / 1e9;
            long growth = Heap.reachableBytes() - before;
            System.out.printf(
                    "%,d queue pairs connected, used and destroyed in turn in %.1f s (%,.0f a second), %,d of them"
                            + " measured: %,d bytes of heap more than before%n",
                    inTurn(), seconds, count / seconds, count, growth);
            // A leak of one byte would show after a million; compiled code has structures on the heap.
            assertThat(growth).isLessThanOrEqualTo(512 * KIB);
        }
    }

    private static void comeAndGo(Pairs pairs, int queuePairs) throws VerbsException {
        for (int i = 0; i < queuePairs / 2; i++) {
            CompletionQueue leftQueue = pairs.left().newCq(6);
            CompletionQueue rightQueue = pairs.right().newCq(6);
            QueuePair here = pairs.create(pairs.left(), leftQueue, leftQueue);
            QueuePair there = pairs.create(pairs.right(), rightQueue, rightQueue);
            Pairs.Pair pair = pairs.connect(here, there);
            if (!pairs.use(pair)) {
                throw new AssertionError("pair " + i + " of " + here + " and " + there + " did not deliver");
            }
            pair.close();
            leftQueue.close();
            rightQueue.close();
        }
    }
}
