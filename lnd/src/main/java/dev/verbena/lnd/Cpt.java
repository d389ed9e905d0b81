// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.spi.callerruns.CallerRuns;
import java.util.function.LongSupplier;

/** A CPU partition (CPT) of a node, selected by the NIDs of its peers. Source: {@code struct kib_sched_info}. */
final class Cpt {

    private final int index;
    private final StepClock clock;
    private final LndCounters counters = new LndCounters();
    private final FailureLog failures;
    private final Scheduler scheduler;

    Cpt(int index, LongSupplier clock, CallerRuns callerRuns, int nscheds) {
        this.index = index;
        this.clock = new StepClock(clock);
        failures = new FailureLog(clock);
        scheduler = new Scheduler(callerRuns, nscheds);
    }

    int index() {
        return index;
    }

    /** The lock of all objects of the CPU partition. No thread holds the locks of two CPU partitions. */
    Object lock() {
        return this;
    }

    /**
     * Counts an ignored event. This method acquires the lock of the CPU partition, so the caller must not hold this lock.
     */
    void ignored() {
        synchronized (lock()) {
            counters.ignored();
        }
    }

    StepClock clock() {
        return clock;
    }

    long now() {
        return clock.now();
    }

    LndCounters counters() {
        return counters;
    }

    FailureLog failures() {
        return failures;
    }

    Scheduler scheduler() {
        return scheduler;
    }
}
