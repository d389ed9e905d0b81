package dev.verbena.sim.device;

import java.util.concurrent.atomic.AtomicInteger;

/** How many objects of a kind there may be at once, where the device needs no table of them. */
final class Quota {
    private final int limit;
    private final AtomicInteger used = new AtomicInteger();

    Quota(int limit) {
        this.limit = limit;
    }

    int limit() {
        return limit;
    }

    /** Takes one; false if none is left. */
    boolean take() {
        return used.getAndUpdate(count -> Math.min(limit, count + 1)) < limit;
    }

    /** Gives one back. */
    void release() {
        used.decrementAndGet();
    }
}
