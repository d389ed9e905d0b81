// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that polls an object with DiSNI's calls, because DiSNI exposes no file descriptor on which a thread could
 * wait. Each poll is short. The thread ends when the object that it polls is closed.
 */
final class PollingThread {
    /** The maximum duration of one poll. A poll delays the closing of the polled object by at most this duration. */
    static final int SLICE_MILLIS = 20;

    private static final long PAUSE_NANOS = 1_000_000;

    private final UseGuard guard;
    private final Poll poll;
    private final Thread thread;
    private final AtomicInteger closers = new AtomicInteger();

    /** Polls an object of DiSNI, and waits a limited number of milliseconds for a result. */
    @FunctionalInterface
    interface Poll {
        /** Returns a callback if the poll returned an event. The thread runs the callback after {@link UseGuard#exit}. */
        Optional<Runnable> poll(int milliseconds) throws IOException;
    }

    PollingThread(String name, UseGuard guard, Poll poll) {
        this.guard = guard;
        this.poll = poll;
        thread = new WallRuntime.HandlerThread(name, this::run);
    }

    void start() {
        thread.start();
    }

    /**
     * Calls {@link UseGuard#end} to destroy the object that the thread polls. While {@code end} runs, the polling thread
     * finishes its current poll and starts no other poll.
     */
    boolean end(UseGuard.Ending ending) throws VerbsException {
        closers.incrementAndGet();
        try {
            return guard.end(ending);
        } finally {
            closers.decrementAndGet();
        }
    }

    private void run() {
        while (!guard.isClosed()) {
            if (closers.get() > 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                WallRuntime.shielded(this::pollOnce);
            }
        }
    }

    private void pollOnce() {
        boolean found = false;
        try {
            Optional<Runnable> act = poll();
            found = act.isPresent();
            act.ifPresent(WallRuntime::shielded);
        } finally {
            if (!found) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private Optional<Runnable> poll() {
        if (!guard.tryEnter()) {
            return Optional.empty();
        }
        try {
            return poll.poll(SLICE_MILLIS);
        } catch (IOException broken) {
            return Optional.empty(); // The thread ignores I/O errors; the program's calls report them.
        } finally {
            guard.exit();
        }
    }
}
