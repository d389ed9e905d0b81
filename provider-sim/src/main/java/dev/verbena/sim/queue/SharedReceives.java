// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.SrqAttributes;

/**
 * Receives that several queue pairs take from, in the order of posting: the shared part of {@code rxe_srq}. Producers,
 * consumers and threads that change the queue hold the producers' lock. A consumer gets a copy, so that the receive
 * leaves the queue when it is taken.
 */
public final class SharedReceives {
    private final int entrySize;
    private final Runnable limitReached;
    private final WorkQueue queue;
    private int limit;

    /**
     * Makes an empty queue.
     *
     * @param entries the number of receives that must fit
     * @param entrySize the bytes of a receive
     * @param limitReached called once for each arming of the limit, without a lock, by the thread that takes the first
     *     receive below the limit
     */
    public SharedReceives(int entries, int entrySize, Runnable limitReached) {
        this.entrySize = entrySize;
        this.limitReached = limitReached;
        queue = new WorkQueue(entries, entrySize);
    }

    /**
     * Returns the bytes of one receive.
     *
     * @return the size given at creation
     */
    public int entrySize() {
        return entrySize;
    }

    /**
     * Returns the queue to post to.
     *
     * @return the queue
     */
    public WorkQueue queue() {
        return queue;
    }

    /**
     * Takes the oldest receive.
     *
     * @param copy the slots that get the receive
     * @return false if there is none
     */
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

    /**
     * Returns the depth.
     *
     * @return the number of receives that fit
     */
    public int capacity() {
        queue.lockProducer();
        try {
            return queue.capacity();
        } finally {
            queue.unlockProducer();
        }
    }

    /**
     * Returns a consistent pair of depth and limit.
     *
     * @param maxEntries the greatest number of scatter-gather entries of a receive
     * @return the attributes
     */
    public SrqAttributes attributes(int maxEntries) {
        queue.lockProducer();
        try {
            return new SrqAttributes(queue.capacity(), maxEntries, limit);
        } finally {
            queue.unlockProducer();
        }
    }

    /**
     * Arms the limit: {@code limitReached} is called when a receive is taken and fewer than this number are left.
     *
     * @param value the limit; 0 disarms
     * @return false if the queue has a smaller depth
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
     * Changes the depth. Posted receives stay, in order.
     *
     * @param entries the number of receives that must fit
     * @return false if that is less than the number of posted receives or the armed limit
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
