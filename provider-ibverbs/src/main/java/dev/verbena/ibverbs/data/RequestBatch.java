// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Work requests in an array of their C structures. Each request points to the next one, except the last request of the
 * previous post, at which the chain is cut. A post that ends at another request restores the link at the old cut, and
 * cuts the chain after its own last request. A request that passed the check is not checked again until the request is
 * changed. The memory of a batch exists as long as the batch is reachable, and nothing is allocated after construction.
 */
public abstract class RequestBatch {
    /** The value of {@link #repeatable} that no index and count have, even if they are out of range. */
    private static final long NOTHING = 0;

    private final MemorySegment[] requests;
    private final int capacity;

    /** Whether each request can be posted without a check and without keeping an object open. */
    private final boolean[] ready;

    private int unready;
    private final MemorySegment bad;
    private final long address;
    private final long badAddress;
    private final long size;
    private final long nextOffset;
    private PostRefusal refusal = PostRefusal.NONE;
    private int refusedIndex = -1;
    private int errno;
    private boolean holding;

    /** The index of the request after which the chain is cut. */
    private int cut;

    /**
     * The index and count of the previous post, if the same requests can be posted without another check; otherwise
     * {@link #NOTHING}.
     */
    private long repeatable = NOTHING;

    /**
     * Links {@code count} structures of {@code size} bytes each, which have the pointer to the next structure at
     * {@code nextOffset}.
     */
    RequestBatch(int count, long size, long nextOffset) {
        if (count < 1) {
            throw new IllegalArgumentException("a batch of " + count + " requests; it needs at least 1");
        }
        this.size = size;
        this.nextOffset = nextOffset;
        Arena arena = Arena.ofAuto();
        MemorySegment all = arena.allocate(size * count, Long.BYTES);
        address = all.address();
        bad = arena.allocate(ADDRESS);
        badAddress = bad.address();
        requests = new MemorySegment[count];
        capacity = count;
        ready = new boolean[count];
        unready = count;
        for (int i = 0; i < count; i++) {
            requests[i] = all.asSlice(i * size, size);
        }
        for (cut = 0; cut < count - 1; cut++) {
            mend();
        }
    }

    public int capacity() {
        return capacity;
    }

    public PostRefusal refusal() {
        return refusedIndex < 0 ? PostRefusal.NONE : refusal;
    }

    public int refusedIndex() {
        return refusedIndex;
    }

    MemorySegment first(int index) {
        return requests[index];
    }

    /** Returns the address of a request, which is the head of the chain that begins with this request. */
    public long address(int index) {
        return address + index * size;
    }

    /**
     * Returns the address of {@code bad_wr}, where libibverbs writes the address of the refused request. Before each
     * post, {@code bad_wr} is NULL.
     */
    public long bad() {
        return badAddress;
    }

    /** Returns whether libibverbs has written the address of a refused request. */
    boolean isStopped() {
        return bad.get(JAVA_LONG, 0) != 0;
    }

    /** Records that libibverbs refused this request. */
    void stoppedAt(int index) {
        bad.set(JAVA_LONG, 0, address(index));
    }

    /** Records that the application is changing a request. */
    void changed(int index) {
        if (ready[index]) {
            ready[index] = false;
            unready++;
            repeatable = NOTHING;
        }
    }

    /** Returns whether a request refers to objects that libibverbs accesses during the post. */
    abstract boolean holds(int index);

    /**
     * Returns why a request cannot be posted. If the request can be posted, the objects that it needs are kept open
     * until {@link #release}.
     */
    abstract PostRefusal hold(int index);

    /** Ends {@link #hold} for a request. {@code taken} is false if libibverbs refused the request. */
    abstract void release(int index, boolean taken);

    /**
     * Checks requests before they are posted, and cuts the chain after the last good one. Returns the number of
     * requests that can be posted, whose objects are kept open. If the result is less than {@code count}, the refusal
     * of the batch has the reason.
     */
    public int prepare(int first, int count) {
        long asked = (long) first << Integer.SIZE | count;
        return asked == repeatable ? count : prepare(first, count, asked);
    }

    private int prepare(int first, int count, long asked) {
        Objects.checkFromIndexSize(first, count, capacity);
        refusedIndex = -1;
        int good = unready == 0 ? count : 0;
        while (good < count && (ready[first + good] || isGood(first, good))) {
            good++;
        }
        if (good > 0 && first + good - 1 != cut) {
            mend();
            cut = first + good - 1;
            requests[cut].set(ADDRESS, nextOffset, MemorySegment.NULL);
        }
        repeatable = good > 0 && good == count && !holding ? asked : NOTHING;
        return good;
    }

    private void mend() {
        if (cut + 1 < capacity) {
            requests[cut].set(ADDRESS, nextOffset, requests[cut + 1]);
        }
    }

    private boolean isGood(int first, int before) {
        int index = first + before;
        PostRefusal defect = hold(index);
        if (defect != PostRefusal.NONE) {
            errno = 0;
            refuse(first, before, defect);
            return false;
        }
        if (holds(index)) {
            holding = true;
        } else {
            ready[index] = true;
            unready--;
        }
        return true;
    }

    /** Records why the request that follows {@code taken} accepted requests was refused. */
    int refuse(int first, int taken, PostRefusal why) {
        refusal = why;
        refusedIndex = first + taken;
        repeatable = NOTHING;
        return taken;
    }

    /**
     * Ends a post: releases the objects that were kept open, and records the refusal of libibverbs, if any.
     * {@code answer} is the result of the post by libibverbs. Returns how many requests libibverbs accepted.
     */
    public int finish(int answer, int first, int posted) {
        int taken = answer == 0 && !isStopped() ? posted : refusedBy(answer, first, posted);
        release(first, posted, taken);
        return taken;
    }

    /** Ends a post that did not reach libibverbs. */
    public int refuseAll(int first, int posted, PostRefusal why) {
        release(first, posted, 0);
        errno = 0;
        return refuse(first, 0, why);
    }

    private void release(int first, int posted, int taken) {
        if (!holding) {
            return;
        }
        holding = false;
        for (int i = first; i < first + posted; i++) {
            if (holds(i)) {
                release(i, i < first + taken);
            }
        }
    }

    private int refusedBy(int answer, int first, int posted) {
        long behind = bad.get(JAVA_LONG, 0) - address(first);
        bad.set(JAVA_LONG, 0, 0);
        boolean stopped = behind % size == 0 && behind >= 0 && behind / size < posted;
        if (answer == 0 && !stopped) {
            return posted;
        }
        int taken = stopped ? (int) (behind / size) : 0;
        errno = Math.abs(answer);
        // If only a part of the list fits the queue, libsiw posts this part and returns 0.
        if (answer == 0 || errno == Errno.ENOMEM.number() || errno == Errno.EAGAIN.number()) {
            return refuse(first, taken, PostRefusal.QUEUE_FULL);
        }
        return refuse(first, taken, PostRefusal.DEVICE_ERROR);
    }

    @Override
    public String toString() {
        return capacity + " requests, " + refusal() + (refusedIndex < 0 ? "" : " at " + refusedIndex)
                + (refusedIndex < 0 || errno == 0 ? "" : ", errno " + errno);
    }
}
