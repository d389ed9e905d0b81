package dev.verbena.sim.queue;

import dev.verbena.sim.runtime.ShortLock;
import dev.verbena.verbs.SrqAttributes;

/**
 * Receives that several queue pairs take from, first come first served: the shared part of rxe_srq. Producers, consumers and
 * those that change it hold its {@linkplain #lock() lock}; a consumer gets a copy, so that a receive leaves the queue when it is taken.
 */
public final class SharedReceives {
    private final ShortLock lock = new ShortLock();
    private final int entrySize;
    private final Runnable limitReached;
    private WorkQueue queue;
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
     * Returns what producers hold.
     *
     * @return the lock
     */
    public ShortLock lock() {
        return lock;
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
     * @return the present queue; the caller holds the lock
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
        lock.lock();
        try {
            Ring ring = queue.ring();
            if (ring.isEmpty()) {
                return false;
            }
            copy.copyFrom(queue.slots(), queue.offset(ring.consumer()), 0, entrySize);
            ring.consume();
            isLow = ring.count() < limit;
            if (isLow) {
                limit = 0;
            }
        } finally {
            lock.unlock();
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
        lock.lock();
        try {
            return queue.ring().capacity();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns depth and limit as they are at one moment.
     *
     * @param maxEntries how many scatter-gather entries a receive may have
     * @return the attributes
     */
    public SrqAttributes attributes(int maxEntries) {
        lock.lock();
        try {
            return new SrqAttributes(queue.ring().capacity(), maxEntries, limit);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Arms the limit: {@code limitReached} is called when a receive is taken and fewer than this are left.
     *
     * @param value 0 for none
     * @return false if the queue is not so deep
     */
    public boolean arm(int value) {
        lock.lock();
        try {
            if (value > queue.ring().capacity()) {
                return false;
            }
            limit = value;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes the depth; what was posted stays, in order.
     *
     * @param entries how many receives it must hold
     * @return false if those that were posted, or the armed limit, are more
     */
    public boolean resize(int entries) {
        WorkQueue resized = new WorkQueue(entries, entrySize);
        lock.lock();
        try {
            if (entries < limit || entries < queue.ring().count()) {
                return false;
            }
            queue.moveTo(resized);
            queue = resized;
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return queue.ring() + ", limit " + limit;
        } finally {
            lock.unlock();
        }
    }
}
