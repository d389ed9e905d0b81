// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.counters;

import dev.verbena.verbs.CounterReading;
import dev.verbena.verbs.Counters;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one device. Thread-safe. */
public final class DeviceCounters implements Counters {
    private final LongAdder[] adders = new LongAdder[Counter.values().length];

    /** Guarded by itself. */
    private final Set<TaskCounters> shares = new HashSet<>();

    /** Makes counters at zero. */
    public DeviceCounters() {
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new LongAdder();
        }
    }

    /**
     * Adds one to a counter.
     *
     * @param counter the counter
     */
    public void count(Counter counter) {
        adders[counter.ordinal()].increment();
    }

    /**
     * Adds a number to a counter.
     *
     * @param counter the counter
     * @param amount the number of events or bytes
     */
    public void add(Counter counter, long amount) {
        adders[counter.ordinal()].add(amount);
    }

    /**
     * Reads one counter.
     *
     * @param counter the counter
     * @return its value
     */
    public long get(Counter counter) {
        if (!TaskCounters.counts(counter)) {
            return adders[counter.ordinal()].sum();
        }
        synchronized (shares) {
            long sum = adders[counter.ordinal()].sum();
            for (TaskCounters share : shares) {
                sum += share.get(counter);
            }
            return sum;
        }
    }

    /**
     * Makes a share for a task. Its values are part of these counters.
     *
     * @return a share at zero
     */
    public TaskCounters newShare() {
        TaskCounters share = new TaskCounters();
        adopt(share);
        return share;
    }

    /**
     * Makes a share part of these counters.
     *
     * @param share a share at zero
     */
    public void adopt(TaskCounters share) {
        synchronized (shares) {
            shares.add(share);
        }
    }

    /**
     * Adds the values of a share whose task no longer runs, and drops the share.
     *
     * @param share a share of this object
     */
    public void retire(TaskCounters share) {
        synchronized (shares) {
            if (shares.remove(share)) {
                for (Counter counter : Counter.values()) {
                    if (TaskCounters.counts(counter)) {
                        add(counter, share.get(counter));
                    }
                }
            }
        }
    }

    /**
     * Reads all counters. Each value is exact; together they are not a snapshot.
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
