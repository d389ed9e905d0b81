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
 * A pool of buffers. The pool registers one region and divides the region into slices of equal size. Registering each
 * buffer would be slow on hardware, and each region needs an entry of the device's tables.
 *
 * <p>Acquiring and releasing a slice of the pool use no lock and allocate nothing. Thread-safe. Until the release of a
 * slice, no other call of {@link #acquire} returns the slice.
 *
 * @since 1.0
 */
public final class RegisteredPool implements AutoCloseable {
    /** The alignment of the pool's slices: 64 bytes prevent shared cache lines and misaligned atomics. */
    public static final long ALIGNMENT = 64;

    private static final int CLOSED = Integer.MIN_VALUE;
    private static final long INDEX_MASK = 0xFFFFFFFFL;
    private static final long NEXT_VERSION = 1L << 32;

    private final VerbsArena arena;
    private final MemoryRegion region;
    private final Slice[] slices;
    /**
     * The stack of free memory slices. If a slice is free, the lower 32 bits of {@code top} are (index of the top slice) +
     * 1, otherwise 0. The upper 32 bits count the changes of the stack, so that a compare-and-set fails if another thread
     * has meanwhile removed and added the top slice (ABA problem).
     */
    private final AtomicLong top = new AtomicLong();

    private final AtomicIntegerArray below;
    /** The number of memory slices that the program has acquired; negative once the pool is closed. */
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
     * @param count the number of slices, at least 1
     * @param sliceSize the length of each slice in bytes, at least 1
     * @param access the access rights of the registered region; the access rights apply to all slices of the pool
     * @return a new pool; all its slices are free
     * @throws VerbsException as {@link ProtectionDomain#registerMemory(MemorySegment, Set)}
     * @throws IllegalArgumentException if the count or the length is below 1
     * @throws OutOfMemoryError if the operating system cannot allocate the memory
     */
    public static RegisteredPool create(ProtectionDomain domain, int count, long sliceSize, Set<AccessFlag> access)
            throws VerbsException {
        if (count < 1 || sliceSize < 1) {
            throw new IllegalArgumentException(
                    "the pool would have " + count + " slices of " + sliceSize + " bytes; both must be at least 1");
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
     * Acquires a free slice.
     *
     * @return a slice, which still has the bytes of its last use, or null if all slices are in use
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
     * Returns the pool's slice with the given index. A program can use the index of a slice as work request id.
     *
     * @param index 0 to {@link #count()} - 1
     * @return the slice, acquired or not
     * @throws IndexOutOfBoundsException if no slice has the index
     */
    public Slice slice(int index) {
        return slices[index];
    }

    /** {@return the number of all slices} */
    public int count() {
        return slices.length;
    }

    /** {@return the number of acquired slices at the time of the call, 0 to {@link #count()}} */
    public int acquired() {
        return Math.clamp(acquired.get(), 0, slices.length);
    }

    /** {@return the memory region that contains all slices; closing the pool closes this region} */
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
     * Deregisters the memory region and frees its memory. A second call of close has no effect.
     *
     * @throws VerbsException {@code EBUSY} while a slice is acquired or a memory window is bound to the region; the pool
     *     then remains usable
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
     * A slice of the pool's region.
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

        /** {@return the slice's index; {@link RegisteredPool#slice} returns the slice with a given index} */
        public int index() {
            return index;
        }

        /** {@return the pool's region, for {@link SendWorkRequest#sge} and {@link ReceiveWorkRequest#sge}} */
        public MemoryRegion region() {
            return region;
        }

        /** {@return the offset of the slice in the region in bytes, a multiple of {@link #ALIGNMENT}} */
        public long offset() {
            return offset;
        }

        /** {@return the address that peers use for the slice's first byte} */
        public long address() {
            return region.address() + offset;
        }

        /**
         * {@return the memory of this slice of the pool; its length is the slice size from {@link RegisteredPool#create}}
         */
        public MemorySegment memory() {
            return memory;
        }

        /**
         * Releases the slice. No posted work request may use a released slice.
         *
         * @throws IllegalStateException if the program has released the slice before, or has never acquired the slice and only
         *     found it by {@link RegisteredPool#slice}
         */
        public void release() {
            if (!taken.compareAndSet(true, false)) {
                throw new IllegalStateException(
                        this + " is not acquired; it was already released, or never acquired. Call acquire() first");
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
