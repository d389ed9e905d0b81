package dev.verbena.sim.counters;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one device; counting and reading may be done from any thread. */
public final class DeviceCounters {
    private final LongAdder[] adders = new LongAdder[Counter.values().length];

    /** Makes counters at zero. */
    public DeviceCounters() {
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new LongAdder();
        }
    }

    /**
     * Counts one.
     *
     * @param counter what happened
     */
    public void count(Counter counter) {
        adders[counter.ordinal()].increment();
    }

    /**
     * Reads one counter.
     *
     * @param counter which
     * @return how often it happened
     */
    public long get(Counter counter) {
        return adders[counter.ordinal()].sum();
    }

    /**
     * Reads all counters; each by itself is exact, together they are no snapshot.
     *
     * @return an unmodifiable map in the order of {@link Counter}
     */
    public Map<Counter, Long> values() {
        Map<Counter, Long> all = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            all.put(counter, get(counter));
        }
        return Collections.unmodifiableMap(all);
    }
}
