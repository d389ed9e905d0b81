// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.spi.Readiness;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the events of one channel or device. The thread that reads events from the kernel adds them to the queue.
 * The application polls the queue, waits for an event, or sets a handler. Thread-safe.
 *
 * <p><b>Each event passes through the queue, even if a handler is set.</b> Only one thread at a time delivers events to
 * the handler. A thread that adds an event or sets the handler becomes the delivering thread, unless another thread is
 * already delivering events. A handler receives each event once, in the order of addition, and is never called
 * concurrently. The thread that delivers an event holds no lock while it calls the event handler.
 */
public final class EventQueue<E> {
    private static final System.Logger LOGGER = System.getLogger(EventQueue.class.getName());

    private final String verb;
    private final String name;
    private final int most;
    private final Deque<E> waiting = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Consumer<E> handler;
    private boolean handingOver;
    private boolean closed;
    private boolean dropped;
    private final Readiness readiness = new Readiness(this::hasEvent, ForkJoinPool.commonPool());

    /**
     * Creates an empty queue without a limit of its length. Error messages contain the C function ({@code verb}) and
     * the source of the events ({@code name}).
     */
    public EventQueue(String verb, String name) {
        this(verb, name, Integer.MAX_VALUE);
    }

    /** Creates an empty queue with a maximum length. If a further event arrives, a full queue drops its oldest event. */
    public EventQueue(String verb, String name, int most) {
        this.verb = verb;
        this.name = name;
        this.most = most;
    }

    /**
     * Appends an event to the queue, or drops the event if the queue is closed. If the queue has a handler, this method
     * delivers the event. If the queue has no handler, this method wakes one waiting thread.
     */
    public void add(E event) {
        enqueue(event);
        handOver();
    }

    /**
     * Appends an event to the queue and wakes one waiting thread, but does not call code of the application. After
     * {@code enqueue}, the calling thread must release its locks and call {@link #handOver}, which calls the
     * application's handler. If the queue is closed, the event is dropped.
     */
    public void enqueue(E event) {
        lock.lock();
        try {
            if (!closed) {
                waiting.add(event);
                changed.signal();
                dropSurplus();
            }
        } finally {
            lock.unlock();
        }
    }

    private void dropSurplus() {
        if (waiting.size() <= most) {
            return;
        }
        waiting.remove();
        if (!dropped) {
            dropped = true;
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} drops its oldest events of {1}, because {2} have not been polled; poll,"
                            + " or set a handler that does not block",
                    name,
                    verb,
                    most);
        }
    }

    private boolean hasEvent() {
        lock.lock();
        try {
            return handler == null && !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns a {@link CompletionStage} that completes when the queue has an event to poll. */
    public CompletionStage<Void> ready() {
        return readiness.stage();
    }

    /**
     * Returns the read end of a pipe; the read end is readable while this queue has an event to poll. Throws
     * {@code EBADF} if the queue is closed, or if the operating system refuses to create the pipe.
     */
    public SelectableChannel selectable() throws VerbsException {
        return readiness.selectable();
    }

    /**
     * Completes each {@link CompletionStage} that {@link #ready} returned, and wakes the selectors of {@link #selectable}.
     * If a handler is set, this method passes each queued event to the handler. If another thread is already delivering
     * events to the handler, that thread also delivers the queued events.
     */
    public void handOver() {
        readiness.signal();
        while (handOver(Integer.MAX_VALUE)) {
            // The queue still has events for the handler.
        }
    }

    /**
     * Delivers at most the given number of events to the handler. Returns true if the queue still has events and no
     * other thread is delivering them.
     */
    private boolean handOver(int some) {
        for (int i = 0; i < some; i++) {
            Runnable call = nextCall();
            if (call == null) {
                return false;
            }
            try {
                WallRuntime.shielded(call);
            } finally {
                handedOver();
            }
        }
        lock.lock();
        try {
            return handler != null && !handingOver && !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Runnable nextCall() {
        lock.lock();
        try {
            Consumer<E> taker = handler;
            if (taker == null || handingOver || waiting.isEmpty()) {
                return null;
            }
            handingOver = true;
            E event = waiting.remove();
            return () -> taker.accept(event);
        } finally {
            lock.unlock();
        }
    }

    private void handedOver() {
        lock.lock();
        try {
            handingOver = false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets the handler. If the handler is null, later events stay in the queue. The calling thread delivers the queued
     * events, unless another thread is already delivering events. A thread of this provider, such as a new {@code
     * HandlerThread}, delivers the events that are added during this delivery.
     */
    public void setHandler(@Nullable Consumer<E> newHandler) {
        int present;
        lock.lock();
        try {
            handler = newHandler;
            present = waiting.size();
        } finally {
            lock.unlock();
        }
        // The queue reports an event to poll only while no handler is set.
        readiness.signal();
        if (handOver(present)) {
            new WallRuntime.HandlerThread("verbena-events of " + name, this::handOver).start();
        }
    }

    public int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Removes the queued events that match the predicate, and returns them in the order in which they were added. */
    public List<E> remove(Predicate<E> which) {
        List<E> removed = new ArrayList<>();
        lock.lock();
        try {
            waiting.removeIf(event -> which.test(event) && removed.add(event));
        } finally {
            lock.unlock();
        }
        readiness.polled();
        return removed;
    }

    public Optional<E> poll() {
        Optional<E> event;
        lock.lock();
        try {
            event = Optional.ofNullable(waiting.poll());
        } finally {
            lock.unlock();
        }
        readiness.polled();
        return event;
    }

    /**
     * Waits for an event and removes it, or returns empty after the timeout. Throws {@code EBADF} if the queue is closed.
     */
    public Optional<E> await(Duration timeout) throws VerbsException, InterruptedException {
        if (Thread.currentThread() instanceof WallRuntime.HandlerThread) {
            throw new IllegalStateException("a handler or task of this runtime may not wait; poll instead");
        }
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.NANOSECONDS.convert(timeout);
            while (true) {
                requireOpen();
                E event = waiting.poll();
                if (event != null || left <= 0) {
                    return Optional.ofNullable(event);
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
            readiness.polled();
        }
    }

    public void requireOpen() throws VerbsException {
        lock.lock();
        try {
            if (closed) {
                throw new VerbsException(Errno.EBADF, verb, name + " is closed and reports no further events");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes this event queue, so that all calls that wait for an event fail with EBADF. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        readiness.close();
    }
}
