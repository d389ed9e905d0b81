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
 * An array of work requests as C structures. The {@code next} pointer of each work request points to the next work request
 * in the array. To post only some of its work requests, a {@code RequestBatch} terminates the linked list: it sets the
 * {@code next} pointer of the last posted request to NULL. Before a post terminates the list at a new index, it restores
 * the {@code next} pointer at the old index. A post skips the check of a work request that has not changed since an earlier
 * successful check. A post always checks a work request for which {@link #holds} returns true. The memory of a {@code
 * RequestBatch} is valid while the object is reachable. After construction, a batch allocates no memory.
 */
public abstract class RequestBatch {
    /**
     * The value of {@link #repeatable} if {@code prepare} must check a repost of the same work requests. A packed index and
     * count are never 0, because the count is at least 1.
     */
    private static final long NOTHING = 0;

    private final MemorySegment[] requests;
    private final int capacity;

    /**
     * For each work request of this batch: whether it is unchanged since its last successful check, and {@link #holds}
     * returns false for it. A post checks only the work requests whose value in {@code ready} is false.
     */
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

    /** The index of the work request that terminates the linked list; its {@code next} pointer is NULL. */
    private int cut;

    /** The first index and count of the last post, packed into a long; {@link #NOTHING} if a repost must be checked. */
    private long repeatable = NOTHING;

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

    public long address(int index) {
        return address + index * size;
    }

    /**
     * Returns the address of the pointer {@code bad_wr}, in which libibverbs stores the address of the refused request.
     * The pointer {@code bad_wr} is NULL before each post.
     */
    public long bad() {
        return badAddress;
    }

    /** Returns whether libibverbs has stored the address of a refused request in bad_wr. */
    boolean isStopped() {
        return bad.get(JAVA_LONG, 0) != 0;
    }

    void stoppedAt(int index) {
        bad.set(JAVA_LONG, 0, address(index));
    }

    /** Records that the application is changing a work request, so that the next post checks the request again. */
    void changed(int index) {
        if (ready[index]) {
            ready[index] = false;
            unready++;
            repeatable = NOTHING;
        }
    }

    /**
     * Returns whether every post must call {@link #hold} for a work request. Returns true if libibverbs accesses verbs
     * objects of the work request during the post, or if the application can close the arena of its memory.
     */
    abstract boolean holds(int index);

    /**
     * Checks a work request. If the work request can be posted, returns NONE, and prevents the destruction of its verbs
     * objects until {@link #release}. Otherwise returns the reason.
     */
    abstract PostRefusal hold(int index);

    /**
     * Undoes {@link #hold}, so that the verbs objects can be destroyed. {@code taken} is true if libibverbs accepted the
     * work request.
     */
    abstract void release(int index, boolean taken);

    /**
     * Checks the work requests of a post in order, up to the first invalid work request. Terminates the linked list after
     * the last valid work request, and prevents the destruction of the verbs objects of the valid work requests. Returns
     * the number of valid work requests. If a work request is invalid, {@link #refusal} returns the reason.
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

    /** Records the reason why the work request at index {@code first + taken} was refused. Returns {@code taken}. */
    int refuse(int first, int taken, PostRefusal why) {
        refusal = why;
        refusedIndex = first + taken;
        repeatable = NOTHING;
        return taken;
    }

    /**
     * Finishes a post, and permits the destruction of its verbs objects again. If libibverbs refused a work request, stores
     * its index and the reason in this batch. The argument {@code answer} is the return value of libibverbs' post function.
     * Returns the number of work requests that libibverbs accepted.
     */
    public int finish(int answer, int first, int posted) {
        int taken = answer == 0 && !isStopped() ? posted : refusedBy(answer, first, posted);
        release(first, posted, taken);
        return taken;
    }

    /** Finishes a post whose work requests were not passed to libibverbs. */
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
        // If only the first work requests fit into the queue, libsiw posts these, sets bad_wr, and returns 0.
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
