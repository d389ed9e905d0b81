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
 * Lets the sockets of a port be looked at by one thread at a time: its own, which sleeps until something comes, or one that
 * waits for a completion and polls without a pause. While there is such a one, the own thread leaves the sockets to it, so that
 * no packet has to wake anybody, and only looks now and then whether it still polls.
 */
final class Watch {
    /** Looks at the sockets. */
    interface Sockets {
        /** The system says that there is something for one of them. */
        void announced(SelectionKey key);

        /** Takes what has come; false if nothing had. */
        boolean take() throws IOException;

        /** Counts and reports what another method here, or the selector, threw. */
        void failed(Throwable thrown);

        /** Lets go what was sent meanwhile. */
        void flush();

        /** Lets go what whoever polls has kept back. */
        void flushKept();

        /** Lets go what was sent meanwhile, but for what may wait as there will be further looks. */
        void endLook(boolean any);

        /** How many datagrams have been given to the system, counting one that it cuts once. From any thread. */
        long sent();
    }

    /** How long to leave the processor to another one who is looking. */
    private static final long STEP_ASIDE_NANOS = 50_000;

    /**
     * How long the own thread sleeps while another one polls. A wake-up takes about 14 us of a processor that threads may spin on. But
     * until the own thread knows that the polling has ended, no thread takes a datagram.
     */
    static final long PERIOD_NANOS = 2_000_000;

    /** How long to wait for one more poll where the polling may have ended in the middle of a period. */
    static final long DOUBT_NANOS = 100_000;

    /** The polls in a period, with the datagrams sent between them, of a thread that polls without a pause. */
    private static final long LOOKS_OF_A_POLLER = 128;

    /** The number of periods of polling after which the sockets leave the selector's set. */
    private static final int PERIODS_UNTIL_UNSELECTED = 32;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final long PAUSE_AFTER_ERROR_NANOS = 1_000_000;

    private final Selector selector;
    private final Sockets sockets;
    private final Consumer<SelectionKey> announcement;
    private final Thread thread;
    private final WaitPolicy waitPolicy;
    private final LongConsumer sleep;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final AtomicLong looks = new AtomicLong();

    /** Who is looking; only that thread's own reads tell it anything, and so nobody need see another one's writes. */
    private @Nullable Thread looking;

    /** The id of the thread that polled last; the thread itself may end. A stale value does no harm. */
    private long poller;

    /** Whether the own thread has left the sockets to somebody who polls. */
    private volatile boolean left;

    /** For how many periods it has, without an end; for the own thread, as the next. */
    private int periodsLeft;

    /** Polls, and datagrams sent between them, in the last period. */
    private long lastSteps;

    private volatile boolean closed;

    Watch(String name, Selector selector, Sockets sockets, WaitPolicy waitPolicy) {
        this(name, selector, sockets, waitPolicy, LockSupport::parkNanos);
    }

    /** The same; the own thread sleeps by the given call while another one polls. */
    Watch(String name, Selector selector, Sockets sockets, WaitPolicy waitPolicy, LongConsumer sleep) {
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

    /** Whether the calling thread is looking at the sockets, in what they brought about. */
    boolean isInside() {
        return Thread.currentThread().equals(looking);
    }

    /** Whether the calling thread polls without a pause, and so will soon let go what is not urgent. */
    boolean isPoller() {
        return left && poller == Thread.currentThread().threadId();
    }

    /** Looks once for somebody who polls; false if there was nothing, or if another one is looking. */
    boolean poll() {
        looks.lazySet(looks.get() + 1);
        notePoller();
        try {
            return look(true);
        } catch (IOException e) {
            // Whoever polls comes again anyway.
            return false;
        } catch (Throwable thrown) {
            // The failure does not concern the completion queue that the program polls.
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

    private boolean look(boolean polls) throws IOException {
        if (closed || !taken.compareAndSet(false, true)) {
            return false;
        }
        looking = Thread.currentThread();
        boolean any = false;
        try {
            any = sockets.take();
            return any;
        } finally {
            looking = null;
            taken.setRelease(false);
            if (polls && left) {
                sockets.endLook(any);
            } else {
                sockets.flush();
            }
        }
    }

    private void run() {
        long seen = looks.get();
        long sent = sockets.sent();
        long since = System.nanoTime();
        while (!closed) {
            try {
                if (left) {
                    sleep.accept(PERIOD_NANOS);
                } else {
                    selector.select(announcement);
                }
                long periods = (System.nanoTime() - since) / PERIOD_NANOS;
                if (periods > 0) {
                    long seenNow = looks.get();
                    long sentNow = sockets.sent();
                    // A thread that does not poll does not count, however much it sends.
                    long steps = seenNow == seen ? 0 : seenNow - seen + sentNow - sent;
                    leave(isPolled(steps / periods));
                    seen = seenNow;
                    sent = sentNow;
                    since = System.nanoTime();
                }
                // Whoever polls leaves to this thread what it did not send, if it saw that the sockets are left to it.
                sockets.flushKept();
                if (!left) {
                    lookForAWhile();
                }
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException e) {
                // Such as what ICMP reports. No loop without a pause, though, if it is there again at once.
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
            } catch (Throwable thrown) {
                // This thread ends with its port and not before.
                sockets.failed(thrown);
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
            }
        }
    }

    /**
     * Tells whether a thread polls without a pause. If it has polled less than in the period before, it may have stopped, and then no
     * further poll comes.
     */
    private boolean isPolled(long steps) {
        boolean fewer = left && steps < lastSteps - lastSteps / 4;
        lastSteps = steps;
        if (fewer && steps >= LOOKS_OF_A_POLLER) {
            long seen = looks.get();
            sleep.accept(DOUBT_NANOS);
            if (looks.get() == seen) {
                lastSteps = 0;
            }
        }
        // A poll that takes many datagrams lasts long; it has not ended then.
        return lastSteps >= LOOKS_OF_A_POLLER || taken.get();
    }

    /**
     * Leaves the sockets to the polling thread, or takes them back. After {@link #PERIODS_UNTIL_UNSELECTED} periods they are not in the
     * selector's set any more, as membership costs the system a call for each datagram.
     */
    private void leave(boolean toPoller) throws IOException {
        left = toPoller;
        if (toPoller) {
            if (periodsLeft < PERIODS_UNTIL_UNSELECTED && ++periodsLeft == PERIODS_UNTIL_UNSELECTED) {
                select(0);
                selector.selectNow(announcement);
            }
        } else {
            if (periodsLeft == PERIODS_UNTIL_UNSELECTED) {
                select(SelectionKey.OP_READ);
            }
            periodsLeft = 0;
        }
    }

    private void select(int operations) {
        for (SelectionKey key : selector.keys()) {
            try {
                key.interestOps(operations);
            } catch (CancelledKeyException e) {
                // Its socket has been closed, or is lost.
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy here; nothing relies on it.
    private void lookForAWhile() throws IOException {
        long polled = looks.get();
        long last = System.nanoTime();
        boolean any = look(false);
        if (!any && taken.get()) {
            // Another one is at it, and may need the processor that asking again at once would take.
            LockSupport.parkNanos(STEP_ASIDE_NANOS);
        }
        while (!closed && any && looks.get() - polled < LOOKS_OF_A_POLLER) {
            if (look(false)) {
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

    /** Ends the looking, and returns when nobody looks any more; but who looks may call this. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean inside = isInside();
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
