// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.WorkRequests;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * The common superclass of send request batches and receive request batches. This class stores the queue pair or SRQ to
 * which a batch can be posted, and the result of the batch's last {@code post} call.
 */
abstract class SimRequests<B extends SimRequests<B, R>, R> implements WorkRequests {
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

    @SuppressWarnings("ReferenceEquality")
    void checkOwner(Object poster) {
        if (owner != poster) {
            throw foreign(poster);
        }
    }

    static IllegalArgumentException foreign(Object poster) {
        return new IllegalArgumentException("the batch was not created by " + poster + "; use a batch that it created");
    }

    @SuppressWarnings("unchecked")
    final R request(int index) {
        return (R) requests[Objects.checkIndex(index, requests.length)];
    }

    /**
     * Posts requests in order until one is refused, and returns the number of accepted requests. The caller must hold the queue's
     * lock.
     */
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

    /**
     * Records that a {@code post} call accepted every request. An unchanged reference is not stored again, because a
     * reference store costs a card mark.
     */
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
