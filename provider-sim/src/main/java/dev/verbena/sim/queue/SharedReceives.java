package dev.verbena.sim.queue;

/**
 * Receives that several queue pairs take from, first come first served: the shared part of rxe_srq. Producers, consumers and
 * those that change it hold its monitor; a consumer gets a copy, so that a receive leaves the queue when it is taken.
 */
public final class SharedReceives {
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
     * @return the present queue; the caller holds the monitor
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
        synchronized (this) {
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
    public synchronized int capacity() {
        return queue.ring().capacity();
    }

    /**
     * Returns the armed limit.
     *
     * @return 0 if there is none
     */
    public synchronized int limit() {
        return limit;
    }

    /**
     * Arms the limit: {@code limitReached} is called when a receive is taken and fewer than this are left.
     *
     * @param value 0 for none
     * @return false if the queue is not so deep
     */
    public synchronized boolean arm(int value) {
        if (value > queue.ring().capacity()) {
            return false;
        }
        limit = value;
        return true;
    }

    /**
     * Changes the depth; what was posted stays, in order.
     *
     * @param entries how many receives it must hold
     * @return false if those that were posted, or the armed limit, are more
     */
    public boolean resize(int entries) {
        WorkQueue resized = new WorkQueue(entries, entrySize);
        synchronized (this) {
            if (entries < limit || entries < queue.ring().count()) {
                return false;
            }
            queue.moveTo(resized);
            queue = resized;
            return true;
        }
    }

    @Override
    public synchronized String toString() {
        return queue.ring() + ", limit " + limit;
    }
}
