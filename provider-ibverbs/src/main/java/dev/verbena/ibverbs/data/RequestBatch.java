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
 * Work requests in an array of their native structures. Each is linked to the next, except the last request of the
 * previous post, where the chain is cut. A post that ends at another request mends the chain at the old cut and cuts it
 * after its own last request. A request that was found good is not checked again until it is changed. The memory lives
 * as long as the batch is reachable, and nothing is allocated after construction.
 */
public abstract class RequestBatch {
    /** Stands for no post: even an index or a count that is out of range makes another number. */
    private static final long NOTHING = 0;

    private final MemorySegment[] requests;
    private final int capacity;

    /** The requests that can be posted without a check and without holding an object open. */
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

    /** The request after which the chain is cut. */
    private int cut;

    /**
     * Index and count of the previous post, if the same requests can be posted without another check; otherwise
     * {@link #NOTHING}.
     */
    private long repeatable = NOTHING;

    /**
     * Lays out the chain.
     *
     * @param count how many requests
     * @param size bytes of one in its structure
     * @param nextOffset the offset of its pointer to the next request
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

    /** The structure of one request. */
    MemorySegment first(int index) {
        return requests[index];
    }

    /** Returns the address of a request, which is the head of the chain from there on. */
    public long address(int index) {
        return address + index * size;
    }

    /**
     * Returns the address of {@code bad_wr}, where the library writes the address of the refused request. <b>NULL
     * before each post.</b>
     */
    public long bad() {
        return badAddress;
    }

    /** Whether the library put a request there. */
    boolean isStopped() {
        return bad.get(JAVA_LONG, 0) != 0;
    }

    /** Notes that the library took no request from this one on. */
    void stoppedAt(int index) {
        bad.set(JAVA_LONG, 0, address(index));
    }

    /** A request is being changed. */
    void changed(int index) {
        if (ready[index]) {
            ready[index] = false;
            unready++;
            repeatable = NOTHING;
        }
    }

    /** Returns whether a request names objects that the library reaches while it posts. */
    abstract boolean holds(int index);

    /**
     * Returns why a request cannot be posted. If it can, holds the objects that must stay open until {@link #release}.
     */
    abstract PostRefusal hold(int index);

    /** Releases the objects that {@link #hold} held for a request, whether it was taken or not. */
    abstract void release(int index, boolean taken);

    /**
     * Checks requests before they are posted, and cuts the chain after the last good one.
     *
     * @return how many can be posted, each of which is held. If that is less than {@code count}, the refusal has the
     *     reason
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

    /** Records why the request after {@code taken} others was not taken. */
    int refuse(int first, int taken, PostRefusal why) {
        refusal = why;
        refusedIndex = first + taken;
        repeatable = NOTHING;
        return taken;
    }

    /**
     * Ends a post: releases the held objects, and records the library's refusal if there is one.
     *
     * @param answer the result of the library's call
     * @return how many it took
     */
    public int finish(int answer, int first, int posted) {
        int taken = answer == 0 && !isStopped() ? posted : refusedBy(answer, first, posted);
        release(first, posted, taken);
        return taken;
    }

    /** Ends a post that did not reach the library. */
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
        // libsiw posts the part of a list that fits, and still returns 0.
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
