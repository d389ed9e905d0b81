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

/** The counters of one device. This class is thread-safe. */
public final class DeviceCounters implements Counters {
    private final LongAdder[] adders = new LongAdder[Counter.values().length];

    /**
     * The {@code TaskCounters} of the device's tasks. The value of a device counter includes the values of the task
     * counters. A thread that accesses this set holds the monitor of the set.
     */
    private final Set<TaskCounters> shares = new HashSet<>();

    /** Makes counters whose values are zero. */
    public DeviceCounters() {
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new LongAdder();
        }
    }

    /**
     * Adds one to a counter.
     *
     * @param counter the counter to increment
     */
    public void count(Counter counter) {
        adders[counter.ordinal()].increment();
    }

    /**
     * Adds a number to a counter.
     *
     * @param counter the counter to increase
     * @param amount the number of events or bytes to add
     */
    public void add(Counter counter, long amount) {
        adders[counter.ordinal()].add(amount);
    }

    /**
     * Counts a received packet.
     *
     * @param bytes the length of the packet
     */
    public void received(long bytes) {
        count(Counter.RCVD_PKTS);
        add(Counter.RCVD_BYTES, bytes);
    }

    /**
     * {@return the value of one counter}
     *
     * @param counter the counter to read
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
     * Makes the counters of one task. The device's counter values include the counters of all tasks.
     *
     * @return new counters for one task, with the value zero
     */
    public TaskCounters newShare() {
        TaskCounters share = new TaskCounters();
        adopt(share);
        return share;
    }

    /**
     * From now on, the counters of this device include the counters of the given task.
     *
     * @param share the counters of the task, which are all zero
     */
    public void adopt(TaskCounters share) {
        synchronized (shares) {
            shares.add(share);
        }
    }

    /**
     * Adds the final values of a task's counters to the device's own values, and removes the task's counters. The task must
     * not run any more.
     *
     * @param share the task's counters, created by {@link #newShare} or added by {@link #adopt}
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
     * Reads all counters. Each counter's value is exact, but two counters may be read at slightly different times.
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
