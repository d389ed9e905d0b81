package dev.verbena.lnd;

import dev.verbena.spi.callerruns.CallerRuns;
import java.util.function.LongSupplier;

/**
 * A CPU partition of a node: the lock, the time, the counters and the scheduler of the peers whose NIDs select it. Source:
 * {@code CPT}, {@code struct kib_sched_info}.
 */
final class Cpt {

    private final int index;
    private final Object lock;
    private final StepClock clock;
    private final LndCounters counters = new LndCounters();
    private final Scheduler scheduler;

    Cpt(int index, Object lock, LongSupplier clock, CallerRuns callerRuns, int nscheds) {
        this.index = index;
        this.lock = lock;
        this.clock = new StepClock(clock);
        scheduler = new Scheduler(callerRuns, nscheds);
    }

    int index() {
        return index;
    }

    Object lock() {
        return lock;
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
