// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.runtime.WaitPolicy;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time receive from the sockets of a port: the port's receive thread or a polling thread. The receive
 * thread sleeps in a {@code Selector} until a datagram arrives. A polling thread is an application thread that polls a CQ.
 * While a polling thread busy-polls, it reads the sockets instead of the receive thread, so that no packet has to wake a
 * thread. During this time, the receive thread wakes up every {@link #PERIOD_NANOS}. At each wake-up, the receive thread
 * only sends pending acknowledgements, and checks whether a thread still polls the sockets.
 */
final class SocketPoller {
    /** The sockets of a port and their packets to be sent. */
    interface Sockets {
        /** Records that the {@code Selector} has selected the socket of {@code key} as readable. */
        void announced(SelectionKey key);

        /** Receives the datagrams that have arrived. Returns false if no datagram had arrived. */
        boolean take() throws IOException;

        /** Counts and reports an exception from the selector or from any method of {@link Sockets}. */
        void failed(Throwable thrown);

        /** Sends the queued packets. */
        void flush();

        /** Sends the acknowledgements that a polling thread has left queued. */
        void flushHeld();

        /** Sends the queued packets except for acknowledgements that the {@link AckCoalescer} keeps pending. */
        void endPoll(boolean any);

        /** Returns the number of datagrams passed to the operating system; a GSO batch counts as one. Thread-safe. */
        long sent();
    }

    /**
     * The time for which the receive thread sleeps if another thread is receiving, because that thread may need the
     * receive thread's processor.
     */
    private static final long STEP_ASIDE_NANOS = 50_000;

    /**
     * The time for which the receive thread sleeps while another thread polls. A shorter sleep would cause more wake-ups of
     * the receive thread. Each wake-up delays a thread that spins on the same processor by about 14 µs. A longer sleep
     * would delay datagrams that arrive after the polling thread has stopped.
     */
    static final long PERIOD_NANOS = 8_000_000;

    /** The time for which the receive thread waits for a further socket poll if the polling thread may have stopped. */
    static final long DOUBT_NANOS = 100_000;

    /**
     * The application counts as busy-polling if its socket polls and sent datagrams in {@link #PERIOD_NANOS} are at least
     * this number. In a period without socket polls, the receive thread does not count sent datagrams.
     */
    private static final long MIN_POLLS_OF_A_POLLER = 512;

    /**
     * After an application thread has busy-polled in this number of consecutive periods of {@link #PERIOD_NANOS}, the
     * receive thread sets the {@code SelectionKey} interest sets of the port's sockets to 0.
     */
    private static final int PERIODS_UNTIL_UNSELECTED = 8;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final long PAUSE_AFTER_ERROR_NANOS = 1_000_000;

    private final Selector selector;
    private final Sockets sockets;
    private final Consumer<SelectionKey> announcement;
    private final Thread thread;
    private final WaitPolicy waitPolicy;
    private final LongConsumer sleep;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final AtomicLong polls = new AtomicLong();

    /**
     * The thread that is receiving, or null. The field need not be volatile, because each thread only compares it with
     * {@code Thread.currentThread()}.
     */
    private @Nullable Thread receiver;

    /** The id of the thread that last called {@link #poll}. This thread may have exited. */
    private long poller;

    /** Whether a busy-polling application thread reads the sockets instead of the receive thread. */
    private volatile boolean handedOver;

    /**
     * The number of consecutive periods of {@link #PERIOD_NANOS} in which a thread other than the receive thread
     * polled. Only the receive thread uses this field and {@link #lastSteps}.
     */
    private int periodsHandedOver;

    /** The number of socket polls and sent datagrams in the last {@link #PERIOD_NANOS}; 0 without socket polls. */
    private long lastSteps;

    private volatile boolean closed;

    SocketPoller(String name, Selector selector, Sockets sockets, WaitPolicy waitPolicy) {
        this(name, selector, sockets, waitPolicy, LockSupport::parkNanos);
    }

    /** Makes a poller. While another thread busy-polls, the receive thread calls {@code sleep} with a time in ns. */
    SocketPoller(String name, Selector selector, Sockets sockets, WaitPolicy waitPolicy, LongConsumer sleep) {
        this.sleep = sleep;
        this.selector = selector;
        this.sockets = sockets;
        announcement = sockets::announced;
        this.waitPolicy = waitPolicy;
        thread = Thread.ofPlatform().daemon().name("verbena-udp-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Returns whether the calling thread is receiving datagrams in {@link #pollOnce}, perhaps in a nested call. */
    boolean isReceiving() {
        return Thread.currentThread().equals(receiver);
    }

    /**
     * Returns whether the calling thread busy-polls the sockets. A busy-polling thread may leave acknowledgements queued,
     * because it sends them in one of its next polls.
     */
    boolean isPoller() {
        return handedOver && poller == Thread.currentThread().threadId();
    }

    /**
     * Polls the UDP sockets once for an application thread. Returns false if no datagram arrived or another thread
     * receives.
     */
    boolean poll() {
        polls.lazySet(polls.get() + 1);
        notePoller();
        try {
            return pollOnce(true);
        } catch (IOException e) {
            // The thread that polls a completion queue polls it again, even if receiving failed.
            return false;
        } catch (Throwable thrown) {
            // An application does not expect that a poll of a completion queue throws a socket's exception. This method
            // passes the exception to `failed` instead of throwing the exception.
            sockets.failed(thrown);
            return false;
        }
    }

    private void notePoller() {
        long here = Thread.currentThread().threadId();
        if (poller != here) {
            poller = here;
        }
    }

    private boolean pollOnce(boolean fromApplication) throws IOException {
        if (closed || !taken.compareAndSet(false, true)) {
            return false;
        }
        receiver = Thread.currentThread();
        boolean any = false;
        try {
            any = sockets.take();
            return any;
        } finally {
            receiver = null;
            taken.setRelease(false);
            if (fromApplication && handedOver) {
                sockets.endPoll(any);
            } else {
                sockets.flush();
            }
        }
    }

    private void run() {
        long seen = polls.get();
        long sent = sockets.sent();
        long since = System.nanoTime();
        while (!closed) {
            try {
                if (handedOver) {
                    sleep.accept(PERIOD_NANOS);
                } else {
                    selector.select(announcement);
                }
                long periods = (System.nanoTime() - since) / PERIOD_NANOS;
                if (periods > 0) {
                    long seenNow = polls.get();
                    long sentNow = sockets.sent();
                    // If no thread polled the sockets in a period, `steps` is 0, even if a thread sent datagrams. A
                    // thread that sends many datagrams and never polls must not count as a polling thread.
                    long steps = seenNow == seen ? 0 : seenNow - seen + sentNow - sent;
                    handOver(isPolled(steps / periods));
                    seen = seenNow;
                    sent = sentNow;
                    since = System.nanoTime();
                }
                // The receive thread sends acknowledgements that a polling thread has queued, because the polling
                // thread may have stopped polling.
                sockets.flushHeld();
                if (!handedOver) {
                    pollUntilIdle();
                }
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException e) {
                // A socket error, such as an ICMP error, may recur at once. The pause of the receive thread prevents a
                // busy loop.
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
            } catch (Throwable thrown) {
                // The receive thread must run until its port is closed.
                sockets.failed(thrown);
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
            }
        }
    }

    /**
     * Returns whether an application thread busy-polls the sockets. The argument {@code steps} is the number of socket
     * polls and sent datagrams per {@link #PERIOD_NANOS}. If {@code steps} falls by more than a quarter from one period to
     * the next, the application thread may have stopped polling. To detect the end of polling, the receive thread waits
     * {@link #DOUBT_NANOS}, and checks whether a thread polled during the wait.
     */
    private boolean isPolled(long steps) {
        boolean fewer = handedOver && steps < lastSteps - lastSteps / 4;
        lastSteps = steps;
        if (fewer && steps >= MIN_POLLS_OF_A_POLLER) {
            long seen = polls.get();
            sleep.accept(DOUBT_NANOS);
            if (polls.get() == seen) {
                lastSteps = 0;
            }
        }
        // Socket polls that receive many datagrams take long, so even a busy-polling thread may make fewer than
        // `MIN_POLLS_OF_A_POLLER` polls in a period. `taken` is true while a thread receives.
        return lastSteps >= MIN_POLLS_OF_A_POLLER || taken.get();
    }

    /**
     * Lets the polling thread read the port's UDP sockets, or the receive thread if {@code toPoller} is false. After
     * busy-polling in {@link #PERIODS_UNTIL_UNSELECTED} consecutive periods, sets the sockets' {@code SelectionKey}
     * interest sets to 0. On Linux, this removes the sockets from the selector's epoll set, in which each datagram takes
     * more time.
     */
    private void handOver(boolean toPoller) throws IOException {
        handedOver = toPoller;
        if (toPoller) {
            if (periodsHandedOver < PERIODS_UNTIL_UNSELECTED && ++periodsHandedOver == PERIODS_UNTIL_UNSELECTED) {
                select(0);
                selector.selectNow(announcement);
            }
        } else {
            if (periodsHandedOver == PERIODS_UNTIL_UNSELECTED) {
                select(SelectionKey.OP_READ);
            }
            periodsHandedOver = 0;
        }
    }

    private void select(int operations) {
        for (SelectionKey key : selector.keys()) {
            try {
                key.interestOps(operations);
            } catch (CancelledKeyException e) {
                // The socket of the selection key has been closed, or has failed permanently.
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding only helps other threads; correctness does not depend on it.
    private void pollUntilIdle() throws IOException {
        long polled = polls.get();
        long last = System.nanoTime();
        boolean any = pollOnce(false);
        if (!any && taken.get()) {
            // The receive thread pauses, because another thread is receiving from the port and may need the CPU.
            LockSupport.parkNanos(STEP_ASIDE_NANOS);
        }
        while (!closed && any && polls.get() - polled < MIN_POLLS_OF_A_POLLER) {
            if (pollOnce(false)) {
                last = System.nanoTime();
            } else {
                switch (waitPolicy.after(System.nanoTime() - last)) {
                    case SPIN -> Thread.onSpinWait();
                    case YIELD -> Thread.yield();
                    case PARK -> any = false;
                }
            }
        }
    }

    /**
     * Ends receiving, and waits until no other thread receives. A {@code PacketReceiver} may call this method while it
     * receives packets.
     */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean inside = isReceiving();
        long deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        while (!inside && taken.get() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
