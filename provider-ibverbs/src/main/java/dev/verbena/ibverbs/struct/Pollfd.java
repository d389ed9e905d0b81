// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct pollfd} of {@code poll.h} (poll(2)). The structure has the same layout on all Linux platforms. */
public final class Pollfd {
    public static final StructLayout LAYOUT = struct("pollfd", int32("fd"), int16("events"), int16("revents"));

    /** {@code POLLIN}: the file descriptor can be read without blocking. */
    public static final int READABLE = 1;

    /** {@code POLLERR}, {@code POLLHUP} or {@code POLLNVAL}: the file descriptor will deliver no more data. */
    public static final int ENDED = 8 | 16 | 32;

    /** A negative number in place of a file descriptor. poll(2) ignores an entry with a negative number. */
    public static final int IGNORED = -1;

    private static final long FD = offset(LAYOUT, "fd");
    private static final long EVENTS = offset(LAYOUT, "events");
    private static final long REVENTS = offset(LAYOUT, "revents");

    private Pollfd() {}

    /**
     * Stores a file descriptor in the {@code struct pollfd} at the given index, so that {@code poll(2)} waits until the
     * file descriptor is readable.
     */
    public static void ask(MemorySegment array, int index, int descriptor) {
        long base = index * LAYOUT.byteSize();
        array.set(ValueLayout.JAVA_INT, base + FD, descriptor);
        array.set(ValueLayout.JAVA_SHORT, base + EVENTS, (short) READABLE);
        array.set(ValueLayout.JAVA_SHORT, base + REVENTS, (short) 0);
    }

    /**
     * Returns the {@code revents} of the {@code struct pollfd} at the given index, as bits of {@link #READABLE} and {@link #ENDED}.
     */
    public static int answer(MemorySegment array, int index) {
        return array.get(ValueLayout.JAVA_SHORT, index * LAYOUT.byteSize() + REVENTS) & (READABLE | ENDED);
    }
}
