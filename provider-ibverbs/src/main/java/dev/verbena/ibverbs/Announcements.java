package dev.verbena.ibverbs;

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
final class Announcements<E> {
    private final String verb;
    private final String name;
    private final Deque<E> waiting = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean closed;

    Announcements(String verb, String name) {
        this.verb = verb;
        this.name = name;
    }

    void add(E event) {
        lock.lock();
        try {
            waiting.add(event);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes away those of objects that are gone. */
    void removeIf(Predicate<E> gone) {
        lock.lock();
        try {
            waiting.removeIf(gone);
        } finally {
            lock.unlock();
        }
    }

    Optional<E> poll() {
        lock.lock();
        try {
            return Optional.ofNullable(waiting.poll());
        } finally {
            lock.unlock();
        }
    }

    /** Waits for one; {@code EBADF} once closed. */
    Optional<E> await(Duration timeout) throws VerbsException, InterruptedException {
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

    void requireOpen() throws VerbsException {
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
    void close() {
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
