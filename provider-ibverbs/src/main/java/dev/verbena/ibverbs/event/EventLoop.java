// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.event;

import dev.verbena.ibverbs.struct.Pollfd;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * The event thread of a device or connection manager, which waits in poll(2) for the file descriptors of its event sources.
 * When a file descriptor is readable, the event source of this descriptor reads the events and calls the handlers. If
 * poll(2) reports POLLHUP, POLLERR or POLLNVAL for a file descriptor, the event thread stops polling this file descriptor,
 * so the thread never spins.
 */
public final class EventLoop implements AutoCloseable {
    /** The time limit of each call of poll(2), so that a lost wake-up delays an event by at most one second. */
    private static final int DEADLINE_MILLIS = 1_000;

    /** The pause after poll(2) has failed, for example because RLIMIT_NOFILE is too low. */
    private static final long PAUSE_NANOS = 10_000_000;

    private final Descriptors descriptors;
    private final int wakeUp;
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;
    private boolean ended;

    /** An object with a file descriptor from which the event thread reads events. */
    public interface Source {
        /**
         * Reads the pending events of this event source without blocking, and delivers them. If {@code drain} throws an
         * exception, the event thread reports the exception and continues.
         */
        void drain();

        /**
         * Returns whether this event source currently reads no events. A thread that changes the result of this method
         * must call {@link #wakeUp}.
         */
        default boolean isFull() {
            return false;
        }
    }

    /**
     * Each call of {@link EventLoop#add} creates a {@code Watch}, even if the source already has a {@code Watch}. {@code
     * Watch} objects are compared by identity, because two files may have the same file descriptor number at different
     * times. A {@code Watch} has its own copy of the file descriptor. The C structure that contains the file descriptor may
     * be freed while the event loop still polls the file descriptor.
     */
    private static final class Watch {
        private final int descriptor;
        private final Source source;

        Watch(int descriptor, Source source) {
            this.descriptor = descriptor;
            this.source = source;
        }
    }

    private EventLoop(String name, Descriptors descriptors) throws VerbsException {
        this.descriptors = descriptors;
        wakeUp = descriptors.newSignal();
        thread = new WallRuntime.HandlerThread("verbena-" + name + "-events", this::run);
    }

    public static EventLoop started(String name, Descriptors descriptors) throws VerbsException {
        EventLoop loop = new EventLoop(name, descriptors);
        boolean started = false;
        try {
            loop.thread.start();
            started = true;
            return loop;
        } finally {
            if (!started) {
                descriptors.close(loop.wakeUp);
            }
        }
    }

    public void add(int descriptor, Source source) {
        watches.add(new Watch(descriptor, source));
        wakeUp();
    }

    public void remove(Source source) {
        watches.removeIf(watch -> watch.source.equals(source));
        wakeUp();
    }

    /**
     * Signals the event thread. This method is synchronized with the close of the eventfd. After the close, the descriptor
     * number may belong to another file.
     */
    public synchronized void wakeUp() {
        if (!ended) {
            descriptors.signal(wakeUp);
        }
    }

    private void run() {
        try {
            while (!stopped) {
                WallRuntime.shielded(this::serve);
            }
        } finally {
            synchronized (this) {
                ended = true;
                descriptors.close(wakeUp);
            }
        }
    }

    private void serve() {
        boolean served = false;
        try {
            List<Watch> now = List.copyOf(watches);
            int[] answers = descriptors.await(watched(now), DEADLINE_MILLIS);
            if (answers[0] != 0) {
                descriptors.clear(wakeUp);
            }
            for (int i = 0; i < now.size() && !stopped; i++) {
                serve(now.get(i), answers[i + 1]);
            }
            served = true;
        } finally {
            if (!served) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private int[] watched(List<Watch> now) {
        int[] watched = new int[now.size() + 1];
        watched[0] = wakeUp;
        for (int i = 0; i < now.size(); i++) {
            Watch watch = now.get(i);
            watched[i + 1] = watch.source.isFull() ? Pollfd.IGNORED : watch.descriptor;
        }
        return watched;
    }

    private void serve(Watch watch, int answer) {
        if (answer != 0) {
            WallRuntime.shielded(watch.source::drain);
        }
        if ((answer & Pollfd.ENDED) != 0) {
            watches.remove(watch);
        }
    }

    /**
     * Stops the event thread without waiting until the thread exits. If {@code close} waited for the event thread, {@code
     * close} could deadlock. A handler in the event thread may close the device, or may wait for another thread that closes
     * the device. After {@code close}, the event thread may still run, but accesses no freed object. Before {@code close},
     * the caller must destroy the C objects of all event sources. {@link Source#drain} accesses no destroyed object.
     */
    @Override
    public void close() {
        stopped = true;
        wakeUp();
    }
}
