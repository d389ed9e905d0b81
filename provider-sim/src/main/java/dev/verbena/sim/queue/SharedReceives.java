package dev.verbena.sim.queue;

import dev.verbena.verbs.SrqAttributes;

/**
 * Receives that several queue pairs take from, first come first served: the shared part of rxe_srq. Producers, consumers and
 * those that change it hold its producers' lock; a consumer gets a copy, so that a receive leaves the queue when it is taken.
 */
public final class SharedReceives {
    private final int entrySize;
    private final Runnable limitReached;
    private final WorkQueue queue;
    private int limit;

    /**
     * Makes an empty queue.
     *
     * @param entries how many receives it must hold
     * @param entrySize bytes of one
     * @param limitReached called once for each arming of the limit, by whoever takes the receive that matters, without a lock
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
     * @param copy gets it
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
     * @return how many receives fit
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
     * Returns depth and limit as they are at one moment.
     *
     * @param maxEntries how many scatter-gather entries a receive may have
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
     * Arms the limit: {@code limitReached} is called when a receive is taken and fewer than this are left.
     *
     * @param value 0 for none
     * @return false if the queue is not so deep
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
     * Changes the depth; what was posted stays, in order.
     *
     * @param entries how many receives it must hold
     * @return false if those that were posted, or the armed limit, are more
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
