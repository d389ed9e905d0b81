// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.runtime.WaitPolicy;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The thread that receives from the sockets. */
@Tag("udp")
class SocketPollerTest implements SocketPoller.Sockets {
    private static final int POLLS = 1000;
    /** The number of passes within which the receive thread detects the polling thread. */
    private static final int PASSES = 64;

    /** Datagrams between two polls: more than a thread that does not poll could need in a second. */
    private static final int DATAGRAMS = 1 << 20;

    private static final int PERIODS = 16;

    /**
     * The time between two polls: too few polls in a period for a polling thread, but more frequent than the receive
     * thread's doubt.
     */
    private static final long SELDOM_NANOS = SocketPoller.DOUBT_NANOS / 2;

    private static final Duration SOME_PERIODS = Duration.ofNanos(5 * SocketPoller.PERIOD_NANOS);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger flushes = new AtomicInteger();
    private final AtomicInteger looksEnded = new AtomicInteger();
    private final AtomicInteger takenByOthers = new AtomicInteger();
    private final Thread test = Thread.currentThread();
    private final Selector selector = open();
    private final LongAccumulator longestSleep = new LongAccumulator(Math::max, 0);
    private final AtomicInteger sleeps = new AtomicInteger();
    private final SocketPoller poller = new SocketPoller("watched", selector, this, WaitPolicy.DEFAULT, this::sleep);
    private final AtomicInteger keptFlushes = new AtomicInteger();
    private final AtomicInteger announcements = new AtomicInteger();
    private final AtomicLong sent = new AtomicLong();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Error failure;
    private boolean nestedLook;
    private boolean lookTakesLong;
    private boolean inside;

    private void sleep(long nanos) {
        longestSleep.accumulate(nanos);
        sleeps.incrementAndGet();
        LockSupport.parkNanos(nanos);
    }

    private static Selector open() {
        try {
            return Selector.open();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void announced(SelectionKey key) {
        announcements.incrementAndGet();
    }

    @Override
    public boolean take() {
        Error thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        if (Thread.currentThread().equals(test)) {
            inside = poller.isReceiving();
            nestedLook = poller.poll();
            if (lookTakesLong) {
                letTheOwnThreadPass(PASSES);
            }
            return true;
        }
        takenByOthers.incrementAndGet();
        return false;
    }

    @Override
    public void failed(Throwable thrown) {
        failures.add(thrown);
    }

    @Override
    public void flush() {
        flushes.incrementAndGet();
    }

    @Override
    public void flushHeld() {
        keptFlushes.incrementAndGet();
    }

    @Override
    public void endPoll(boolean any) {
        assertThat(any).isTrue();
        looksEnded.incrementAndGet();
    }

    @Override
    public long sent() {
        return sent.get();
    }

    private void letTheOwnThreadPass(int times) {
        int before = keptFlushes.get();
        until(() -> {
            // As a datagram would.
            selector.wakeup();
            return keptFlushes.get() >= before + times;
        });
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        poller.close();
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void aThreadThatPolledAndEndedIsForgotten() throws InterruptedException {
        poller.start();
        WeakReference<Thread> ended = polledAndEnded();
        for (int i = 0; i < 50 && ended.get() != null; i++) {
            System.gc();
        }
        assertThat(ended.get()).isNull();
    }

    private WeakReference<Thread> polledAndEnded() throws InterruptedException {
        Thread polling = Thread.ofPlatform().start(poller::poll);
        polling.join();
        return new WeakReference<>(polling);
    }

    @Test
    void aPollReceivesAndDoesNotNest() {
        poller.start();
        assertThat(poller.poll()).isTrue();
        assertThat(inside).isTrue();
        assertThat(poller.isReceiving()).isFalse();
        assertThat(nestedLook).isFalse();
        // The reactions are sent at once, and so are packets held before: no other thread would send them.
        assertThat(flushes).hasValue(1);
        assertThat(looksEnded).hasValue(0);
    }

    @Test
    void theReceiveThreadLeavesTheSocketsToAPollingThreadUntilItStops() {
        poller.start();
        until(() -> {
            for (int i = 0; i < POLLS; i++) {
                poller.poll();
            }
            // As a datagram would.
            selector.wakeup();
            return looksEnded.get() > 0;
        });
        int before = takenByOthers.get();
        until(() -> {
            selector.wakeup();
            return takenByOthers.get() > before;
        });
    }

    @Test
    void socketsLeftForLongLeaveTheSelectorUntilPollingStops() throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            source.configureBlocking(false);
            SelectionKey key = source.register(selector, SelectionKey.OP_READ);
            poller.start();
            until(() -> {
                for (int i = 0; i < POLLS; i++) {
                    poller.poll();
                }
                selector.wakeup();
                return key.interestOps() == 0;
            });
            int before = sleeps.get();
            until(() -> key.interestOps() == SelectionKey.OP_READ);
            // The sleep in which the polling ended, one in doubt, and one after it: no datagram waits longer.
            assertThat(sleeps.get() - before).isLessThanOrEqualTo(3);
            assertThat(longestSleep.get()).isLessThanOrEqualTo(SocketPoller.PERIOD_NANOS);
            assertThat(announcements).hasValue(0);
            sink.write(ByteBuffer.allocate(1));
            until(() -> announcements.get() > 0);
        }
    }

    @Test
    void theReceiveThreadLeavesTheSocketsToAThreadInALongPoll() {
        lookTakesLong = true;
        poller.start();
        until(() -> {
            poller.poll();
            return looksEnded.get() > 0;
        });
    }

    @Test
    void theReceiveThreadLeavesTheSocketsToAThreadThatPollsRarelyAndSendsMuch() {
        poller.start();
        AtomicInteger sleepsBefore = new AtomicInteger();
        until(() -> {
            int before = looksEnded.get();
            poller.poll();
            sent.addAndGet(DATAGRAMS);
            if (looksEnded.get() == before) {
                // As a datagram would.
                selector.wakeup();
                sleepsBefore.set(sleeps.get());
            }
            long next = System.nanoTime() + SELDOM_NANOS;
            while (System.nanoTime() < next) {
                Thread.onSpinWait();
            }
            return sleeps.get() - sleepsBefore.get() >= PERIODS;
        });
    }

    @Test
    void theReceiveThreadKeepsTheSocketsWithoutPolls() {
        poller.start();
        long end = System.nanoTime() + SOME_PERIODS.toNanos();
        until(() -> {
            sent.addAndGet(DATAGRAMS);
            selector.wakeup();
            return System.nanoTime() > end;
        });
        int before = takenByOthers.get();
        until(() -> {
            sent.addAndGet(DATAGRAMS);
            selector.wakeup();
            return takenByOthers.get() > before + PASSES;
        });
    }

    @Test
    void noFailureEndsTheReceiveThreadOrReachesThePollingThread() {
        failure = new StackOverflowError();
        poller.start();
        assertThat(poller.poll()).isFalse();
        until(() -> {
            selector.wakeup();
            return failures.size() > PERIODS;
        });
        failure = null;
        int before = takenByOthers.get();
        until(() -> {
            selector.wakeup();
            return takenByOthers.get() > before + PERIODS;
        });
        // The receive thread may be receiving at this moment.
        until(poller::poll);
    }

    @Test
    void noThreadReceivesAfterClose() throws IOException {
        poller.start();
        selector.close();
        poller.close();
        int before = takenByOthers.get();
        assertThat(poller.poll()).isFalse();
        assertThat(nestedLook).isFalse();
        assertThat(takenByOthers).hasValue(before);
    }
}
