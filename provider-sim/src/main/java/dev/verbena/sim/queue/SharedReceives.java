// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.SrqAttributes;

/**
 * The receive requests and the SRQ limit of a shared receive queue, as in {@code rxe_srq}. The queue pairs of the SRQ
 * consume the receive requests in the order of posting. Each access to the {@code WorkQueue}, including the removal of a
 * receive request, requires the producers' lock. A queue pair that consumes a receive request copies the request out of its
 * queue entry, and then frees the entry.
 */
public final class SharedReceives {
    private final int entrySize;
    private final Runnable limitReached;
    private final WorkQueue queue;
    private int limit;

    /**
     * Makes an empty queue.
     *
     * @param limitReached the function to call when a thread has removed a receive request and fewer requests than the SRQ
     *     limit remain. Each {@link #arm} causes at most one call of {@code limitReached}. The calling thread holds no lock
     */
    public SharedReceives(int entries, int entrySize, Runnable limitReached) {
        this.entrySize = entrySize;
        this.limitReached = limitReached;
        queue = new WorkQueue(entries, entrySize);
    }

    public int entrySize() {
        return entrySize;
    }

    public WorkQueue queue() {
        return queue;
    }

    /** Moves the oldest receive request from the queue to {@code copy}. Returns false if the queue is empty. */
    public boolean take(Slots copy) {
        boolean isLow;
        queue.lockProducer();
        try {
            if (queue.isEmpty()) {
                return false;
            }
            copy.copyFrom(queue.slots(), queue.offset(queue.consumer()), 0, entrySize);
            queue.consume();
            isLow = queue.count() < limit;
            if (isLow) {
                limit = 0;
            }
        } finally {
            queue.unlockProducer();
        }
        if (isLow) {
            limitReached.run();
        }
        return true;
    }

    public int capacity() {
        queue.lockProducer();
        try {
            return queue.capacity();
        } finally {
            queue.unlockProducer();
        }
    }

    /** Returns the size and the limit of the SRQ, both from the same moment. */
    public SrqAttributes attributes(int maxEntries) {
        queue.lockProducer();
        try {
            return new SrqAttributes(queue.capacity(), maxEntries, limit);
        } finally {
            queue.unlockProducer();
        }
    }

    /**
     * Arms the SRQ limit: {@code limitReached} is called when a receive request is removed and fewer than {@code value}
     * remain. Zero disarms the SRQ limit. Returns false if {@code value} exceeds the depth of the queue.
     */
    public boolean arm(int value) {
        queue.lockProducer();
        try {
            if (value > queue.capacity()) {
                return false;
            }
            limit = value;
            return true;
        } finally {
            queue.unlockProducer();
        }
    }

    /**
     * Changes the depth. The posted receive requests stay in the queue, in their order. Returns false if the new depth is
     * less than the number of posted receive requests or the armed SRQ limit.
     */
    public boolean resize(int entries) {
        Slots resized = queue.newSlotsFor(entries);
        queue.lockProducer();
        try {
            if (entries < limit || entries < queue.count()) {
                return false;
            }
            queue.resize(entries, resized);
            return true;
        } finally {
            queue.unlockProducer();
        }
    }

    @Override
    public String toString() {
        queue.lockProducer();
        try {
            return queue + ", limit " + limit;
        } finally {
            queue.unlockProducer();
        }
    }
}
