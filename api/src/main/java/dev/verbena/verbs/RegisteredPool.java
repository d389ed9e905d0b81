// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One region cut into many slices of equal size, for programs that often need buffers. Registration is slow on
 * hardware, and each region takes an entry of the device's tables.
 *
 * <p>Acquiring and releasing take no lock and allocate nothing. May be used from several threads; a slice belongs to
 * the thread that acquired it.
 *
 * @since 1.0
 */
public final class RegisteredPool implements AutoCloseable {
    /** Slices start at multiples of this many bytes, so that no two share a cache line and atomics are aligned. */
    public static final long ALIGNMENT = 64;

    private static final int CLOSED = Integer.MIN_VALUE;
    private static final long INDEX_MASK = 0xFFFFFFFFL;
    private static final long NEXT_VERSION = 1L << 32;

    private final VerbsArena arena;
    private final MemoryRegion region;
    private final Slice[] slices;
    /**
     * A stack of free slices: its top as index + 1, 0 for none, and above that a count of changes, which distinguishes
     * equal tops.
     */
    private final AtomicLong top = new AtomicLong();

    private final AtomicIntegerArray below;
    /** How many slices are acquired; negative once the pool is closed. */
    private final AtomicInteger acquired = new AtomicInteger();

    private RegisteredPool(VerbsArena arena, MemoryRegion region, MemorySegment memory, int count, long sliceSize) {
        this.arena = arena;
        this.region = region;
        below = new AtomicIntegerArray(count);
        slices = new Slice[count];
        long stride = stride(sliceSize);
        for (int i = 0; i < count; i++) {
            slices[i] = new Slice(i, i * stride, memory.asSlice(i * stride, sliceSize));
        }
        for (int i = count - 1; i >= 0; i--) {
            push(i);
        }
    }

    private static long stride(long sliceSize) {
        return Math.ceilDiv(sliceSize, ALIGNMENT) * ALIGNMENT;
    }

    /**
     * Allocates and registers memory for a pool.
     *
     * @param domain the protection domain
     * @param count how many slices, at least 1
     * @param sliceSize bytes of each, at least 1
     * @param access the rights of all slices
     * @return a new pool; all its slices are free
     * @throws VerbsException as {@link ProtectionDomain#registerMemory(MemorySegment, Set)}
     * @throws IllegalArgumentException for a count or size below 1
     * @throws OutOfMemoryError when the memory cannot be had
     */
    public static RegisteredPool create(ProtectionDomain domain, int count, long sliceSize, Set<AccessFlag> access)
            throws VerbsException {
        if (count < 1 || sliceSize < 1) {
            throw new IllegalArgumentException(
                    "a pool of " + count + " slices of " + sliceSize + " bytes cannot be; both must be at least 1");
        }
        VerbsArena arena = domain.device().newArena();
        try {
            MemorySegment memory = arena.allocatePages(Math.multiplyExact(stride(sliceSize), (long) count));
            return new RegisteredPool(arena, domain.registerMemory(memory, access), memory, count, sliceSize);
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
    }

    /**
     * Takes a slice.
     *
     * @return a slice, its bytes as the last user left them, or null if all are in use
     * @throws IllegalStateException if the pool is closed
     */
    public @Nullable Slice acquire() {
        if (acquired.getAndIncrement() < 0) {
            acquired.getAndDecrement();
            throw new IllegalStateException("the pool is closed");
        }
        int index = pop();
        if (index < 0) {
            acquired.getAndDecrement();
            return null;
        }
        Slice slice = slices[index];
        slice.taken.set(true);
        return slice;
    }

    /**
     * Finds a slice by its number, which fits a work request id.
     *
     * @param index 0 to {@link #count()} - 1
     * @return the slice, acquired or not
     * @throws IndexOutOfBoundsException if there is none
     */
    public Slice slice(int index) {
        return slices[index];
    }

    /**
     * Counts the slices.
     *
     * @return how many there are, acquired or not
     */
    public int count() {
        return slices.length;
    }

    /**
     * Counts the slices in use.
     *
     * @return how many are acquired at this moment, 0 to {@link #count()}
     */
    public int acquired() {
        return Math.clamp(acquired.get(), 0, slices.length);
    }

    /**
     * Returns the region of all slices.
     *
     * @return the region, which the pool closes
     */
    public MemoryRegion region() {
        return region;
    }

    private void push(int index) {
        long seen = top.get();
        while (true) {
            below.set(index, (int) (seen & INDEX_MASK));
            long next = (seen & ~INDEX_MASK) + NEXT_VERSION | index + 1;
            long found = top.compareAndExchange(seen, next);
            if (found == seen) {
                return;
            }
            seen = found;
        }
    }

    private int pop() {
        long seen = top.get();
        while (true) {
            int index = (int) (seen & INDEX_MASK) - 1;
            if (index < 0) {
                return -1;
            }
            long next = (seen & ~INDEX_MASK) + NEXT_VERSION | below.get(index);
            long found = top.compareAndExchange(seen, next);
            if (found == seen) {
                return index;
            }
            seen = found;
        }
    }

    /**
     * Ends the registration and frees the memory. Closing again has no effect.
     *
     * @throws VerbsException {@code EBUSY} while a slice is acquired, or a memory window is bound to the region; nothing is
     *     closed then
     */
    @Override
    public void close() throws VerbsException {
        int inUse = acquired.compareAndExchange(0, CLOSED);
        if (inUse > 0) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "RegisteredPool.close",
                    acquired() + " of " + slices.length + " slices are in use; release them first");
        }
        if (inUse < 0) {
            return;
        }
        boolean done = false;
        try {
            region.close();
            arena.close();
            done = true;
        } finally {
            if (!done) {
                acquired.addAndGet(-CLOSED);
            }
        }
    }

    @Override
    public String toString() {
        return "pool of " + slices.length + " slices, " + acquired() + " in use";
    }

    /**
     * A part of the pool's region.
     *
     * @since 1.0
     */
    public final class Slice {
        private final int index;
        private final long offset;
        private final MemorySegment memory;
        private final AtomicBoolean taken = new AtomicBoolean();

        private Slice(int index, long offset, MemorySegment memory) {
            this.index = index;
            this.offset = offset;
            this.memory = memory;
        }

        /**
         * Returns its number.
         *
         * @return the index for {@link RegisteredPool#slice}
         */
        public int index() {
            return index;
        }

        /**
         * Returns the region, for {@link SendWorkRequest#sge} and {@link ReceiveWorkRequest#sge}.
         *
         * @return the pool's region
         */
        public MemoryRegion region() {
            return region;
        }

        /**
         * Returns where in the region it begins.
         *
         * @return bytes, a multiple of {@link #ALIGNMENT}
         */
        public long offset() {
            return offset;
        }

        /**
         * Returns the address by which a peer names its first byte.
         *
         * @return the region's address and the offset
         */
        public long address() {
            return region.address() + offset;
        }

        /**
         * Returns the bytes.
         *
         * @return memory of the size that the pool was made with
         */
        public MemorySegment memory() {
            return memory;
        }

        /**
         * Releases the slice. No work request may be using it.
         *
         * @throws IllegalStateException if it was not acquired, or was released already
         */
        public void release() {
            if (!taken.compareAndSet(true, false)) {
                throw new IllegalStateException(
                        this + " is not acquired; it was released before, or found by its number only");
            }
            push(index);
            acquired.getAndDecrement();
        }

        @Override
        public String toString() {
            return "slice " + index + " of " + memory.byteSize() + " bytes";
        }
    }
}
