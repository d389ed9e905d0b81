package dev.verbena.sim.counters;

import dev.verbena.verbs.CounterReading;
import dev.verbena.verbs.Counters;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one device; counting and reading may be done from any thread. */
public final class DeviceCounters implements Counters {
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
     * Counts several, or bytes.
     *
     * @param counter what happened
     * @param amount how often, or how many
     */
    public void add(Counter counter, long amount) {
        adders[counter.ordinal()].add(amount);
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

    @Override
    public List<CounterReading> read() {
        return Arrays.stream(Counter.values())
                .map(counter -> new CounterReading(counter.label(), get(counter), counter.description()))
                .toList();
    }
}
