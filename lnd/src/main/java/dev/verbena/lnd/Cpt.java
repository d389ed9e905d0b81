// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.spi.callerruns.CallerRuns;
import java.util.function.LongSupplier;

/**
 * A CPU partition of a node: the lock, the time, the counters and the scheduler of the peers whose NIDs select it. Source:
 * {@code CPT}, {@code struct kib_sched_info}.
 */
final class Cpt {

    private final int index;
    private final StepClock clock;
    private final LndCounters counters = new LndCounters();
    private final Scheduler scheduler;

    Cpt(int index, LongSupplier clock, CallerRuns callerRuns, int nscheds) {
        this.index = index;
        this.clock = new StepClock(clock);
        scheduler = new Scheduler(callerRuns, nscheds);
    }

    int index() {
        return index;
    }

    /** The lock of all that belongs to the partition. No thread holds the locks of two partitions. */
    Object lock() {
        return this;
    }

    /** Counts an ignored event that belongs to no partition. Takes the lock. */
    void ignored() {
        synchronized (lock()) {
            counters.ignored();
        }
    }

    /** Reads the clock once for all that happens in a step. */
    StepClock clock() {
        return clock;
    }

    /** The time that a step is taken at, or the present time. */
    long now() {
        return clock.now();
    }

    LndCounters counters() {
        return counters;
    }

    Scheduler scheduler() {
        return scheduler;
    }
}
