// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.event;

import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.SystemCalls;
import dev.verbena.ibverbs.struct.Pollfd;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Waits for file descriptors by poll(2), sets O_NONBLOCK, and creates, signals and clears eventfds. */
public final class Descriptors {
    private static final int EVENTFD_FLAGS = 0x80000 | 0x800;

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final String CURE = "check the limit of open files (ulimit -n)";

    private final SystemCalls system;

    public Descriptors(SystemCalls system) {
        this.system = system;
    }

    /** Creates an eventfd, which is readable from {@link #signal} until {@link #clear}. */
    int newSignal() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            int descriptor = system.eventfd(callState, 0, EVENTFD_FLAGS);
            if (descriptor < 0) {
                throw Outcome.refusal(CallState.errno(callState), "eventfd", "creating an event descriptor", CURE);
            }
            return descriptor;
        }
    }

    void signal(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            // Writing to an eventfd fails only if its 64-bit counter would overflow. After a failed write the eventfd
            // is still readable, so a thread that waits for it wakes up.
            system.write(
                    CallState.allocate(arena), descriptor, arena.allocateFrom(ValueLayout.JAVA_LONG, 1), Long.BYTES);
        }
    }

    void clear(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            // Reading an eventfd fails only if the eventfd is not signalled.
            system.read(CallState.allocate(arena), descriptor, arena.allocate(ValueLayout.JAVA_LONG), Long.BYTES);
        }
    }

    void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            system.close(CallState.allocate(arena), descriptor);
        }
    }

    /** Sets O_NONBLOCK on a file descriptor, so that a read fails with {@code EAGAIN} if there is no data to read. */
    public void doNotBlock(int descriptor) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            int flags = system.fcntl(callState, descriptor, F_GETFL, 0);
            if (flags < 0 || system.fcntl(callState, descriptor, F_SETFL, flags | O_NONBLOCK) < 0) {
                throw Outcome.refusal(
                        CallState.errno(callState), "fcntl", "setting O_NONBLOCK on descriptor " + descriptor, CURE);
            }
        }
    }

    /**
     * Waits a limited number of milliseconds until one of the file descriptors is readable. Returns
     * {@link Pollfd#READABLE}, {@link Pollfd#ENDED} or 0 for each file descriptor. Throws {@link IllegalStateException}
     * if poll(2) fails with an errno other than EINTR.
     */
    int[] await(int[] descriptors, int milliseconds) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment polled = arena.allocate(Pollfd.LAYOUT, descriptors.length);
            for (int i = 0; i < descriptors.length; i++) {
                Pollfd.ask(polled, i, descriptors[i]);
            }
            MemorySegment callState = CallState.allocate(arena);
            if (system.poll(callState, polled, descriptors.length, milliseconds) < 0) {
                Errno errno = Errno.of(CallState.errno(callState));
                if (errno != Errno.EINTR) {
                    throw new IllegalStateException("poll of " + descriptors.length + " descriptors failed: " + errno);
                }
            }
            int[] answers = new int[descriptors.length];
            for (int i = 0; i < descriptors.length; i++) {
                answers[i] = Pollfd.answer(polled, i);
            }
            return answers;
        }
    }
}
