// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import dev.verbena.ibverbs.library.SystemCalls;
import dev.verbena.ibverbs.struct.Pollfd;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Descriptors that a test makes readable; {@code poll} waits until one is. */
public final class FakeSystem implements SystemCalls {
    private static final int FIRST = 100;

    private final Set<Integer> readable = new HashSet<>();
    private final Set<Integer> open = new HashSet<>();
    private final Set<Integer> polled = new HashSet<>();
    private int polls;
    private int failing;

    public synchronized void readable(int descriptor, boolean is) {
        if (is) {
            readable.add(descriptor);
        } else {
            readable.remove(descriptor);
        }
        notifyAll();
    }

    public synchronized Set<Integer> polled() {
        return Set.copyOf(polled);
    }

    /** The descriptors that were made and are open. */
    synchronized Set<Integer> open() {
        return Set.copyOf(open);
    }

    /** Has the next polls fail with ENOMEM. */
    synchronized void failPolls(int count) {
        failing = count;
        notifyAll();
    }

    /** Waits until an event thread begins to wait again; false if none does. */
    synchronized boolean awaitPoll(int after) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (polls <= after && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.timedWait(this, 100);
        }
        return polls > after;
    }

    /** How often an event thread began to wait. */
    synchronized int polls() {
        return polls;
    }

    synchronized boolean awaitAllClosed() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!open.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.timedWait(this, 100);
        }
        return open.isEmpty();
    }

    @Override
    public synchronized int poll(MemorySegment callState, MemorySegment descriptors, long count, int milliseconds) {
        polls++;
        notifyAll();
        for (int i = 0; i < count; i++) {
            polled.add(descriptors.get(ValueLayout.JAVA_INT, i * Pollfd.LAYOUT.byteSize()));
        }
        if (failing > 0) {
            failing--;
            return -1;
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (true) {
            int ready = 0;
            for (int i = 0; i < count; i++) {
                long base = i * Pollfd.LAYOUT.byteSize();
                if (readable.contains(descriptors.get(ValueLayout.JAVA_INT, base))) {
                    descriptors.set(ValueLayout.JAVA_SHORT, base + 6, (short) Pollfd.READABLE);
                    ready++;
                }
            }
            long left = end - System.nanoTime();
            if (failing > 0) {
                return 0;
            }
            if (ready > 0 || left <= 0) {
                return ready;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return -1;
            }
        }
    }

    @Override
    public synchronized int eventfd(MemorySegment callState, int initial, int flags) {
        int descriptor = FIRST + open.size();
        open.add(descriptor);
        return descriptor;
    }

    @Override
    public int fcntl(MemorySegment callState, int descriptor, int command, int argument) {
        return 0;
    }

    @Override
    public long read(MemorySegment callState, int descriptor, MemorySegment to, long count) {
        readable(descriptor, false);
        return count;
    }

    @Override
    public long write(MemorySegment callState, int descriptor, MemorySegment from, long count) {
        readable(descriptor, true);
        return count;
    }

    @Override
    public synchronized int close(MemorySegment callState, int descriptor) {
        open.remove(descriptor);
        notifyAll();
        return 0;
    }
}
