package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * What an event thread read and nobody has taken yet. May be used from several threads.
 *
 * @param <E> the kind of event
 */
public final class Announcements<E> {
    private final String verb;
    private final String name;
    private final Deque<E> waiting = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean closed;

    /**
     * Makes an empty queue.
     *
     * @param verb the verb that waits, in its C spelling
     * @param name of what the events come from, for messages
     */
    public Announcements(String verb, String name) {
        this.verb = verb;
        this.name = name;
    }

    /**
     * Puts an event behind the others, and wakes one waiter.
     *
     * @param event the event
     */
    public void add(E event) {
        lock.lock();
        try {
            waiting.add(event);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes away those of objects that are gone.
     *
     * @param gone which ones
     */
    public void removeIf(Predicate<E> gone) {
        lock.lock();
        try {
            waiting.removeIf(gone);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the oldest event.
     *
     * @return the event, or empty
     */
    public Optional<E> poll() {
        lock.lock();
        try {
            return Optional.ofNullable(waiting.poll());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for an event.
     *
     * @param timeout how long at most
     * @return the oldest event, or empty when the time ran out
     * @throws VerbsException {@code EBADF} once closed
     * @throws InterruptedException if the thread was interrupted
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
        }
    }

    /**
     * Insists that this is open.
     *
     * @throws VerbsException {@code EBADF} once closed
     */
    public void requireOpen() throws VerbsException {
        lock.lock();
        try {
            if (closed) {
                throw new VerbsException(Errno.EBADF, verb, name + " is closed; nothing will be announced on it");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets waiters go, with {@code EBADF}. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
