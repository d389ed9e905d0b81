package dev.verbena.sim.device;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.WorkRequests;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * What batches of send and receive requests have in common: whom they belong to, and how the last post ended.
 *
 * @param <B> the batch itself
 * @param <R> one request
 */
abstract class SimRequests<B extends SimRequests<B, R>, R> implements WorkRequests {
    /**
     * Takes one request of a batch into a queue.
     *
     * @param <B> the batch
     */
    @FunctionalInterface
    interface Taker<B> {
        PostRefusal take(B batch, int index);
    }

    private final Object owner;
    private final Object[] requests;
    private final int capacity;
    private PostRefusal refusal = PostRefusal.NONE;
    private int refusedIndex = -1;

    SimRequests(Object owner, int count, IntFunction<R> make) {
        if (count < 1) {
            throw new IllegalArgumentException("a batch holds at least 1 request, not " + count);
        }
        this.owner = owner;
        requests = new Object[count];
        capacity = count;
        for (int i = 0; i < count; i++) {
            requests[i] = make.apply(i);
        }
    }

    abstract B self();

    /** Refuses a batch that was made by somebody else. */
    @SuppressWarnings("ReferenceEquality")
    void checkOwner(Object poster) {
        if (owner != poster) {
            throw foreign(poster);
        }
    }

    static IllegalArgumentException foreign(Object poster) {
        return new IllegalArgumentException("the batch was not made by " + poster + "; let it make one and fill that");
    }

    @SuppressWarnings("unchecked")
    final R request(int index) {
        return (R) requests[Objects.checkIndex(index, requests.length)];
    }

    /** Posts requests in order until one is refused, and returns how many were taken; for who holds the queue's lock. */
    final int post(Taker<B> queue, int first, int count) {
        Objects.checkFromIndexSize(first, count, capacity);
        PostRefusal why = PostRefusal.NONE;
        int taken = 0;
        B batch = self();
        while (taken < count && why == PostRefusal.NONE) {
            why = queue.take(batch, first + taken);
            if (why == PostRefusal.NONE) {
                taken++;
            }
        }
        if (why == PostRefusal.NONE) {
            tookAll();
        } else {
            refusal = why;
            refusedIndex = first + taken;
        }
        return taken;
    }

    /** Notes that a post took everything. A reference is only stored if it changes, as that has a barrier. */
    final void tookAll() {
        if (refusal != PostRefusal.NONE) {
            refusal = PostRefusal.NONE;
            refusedIndex = -1;
        }
    }

    @Override
    public final int capacity() {
        return capacity;
    }

    @Override
    public final PostRefusal refusal() {
        return refusal;
    }

    @Override
    public final int refusedIndex() {
        return refusedIndex;
    }
}
