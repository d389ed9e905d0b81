// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** The number of each kind of event. Thread-safe. */
final class Counts {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void count(Object what) {
        counts.computeIfAbsent(what.toString(), _ -> new LongAdder()).increment();
    }

    long of(Object what) {
        LongAdder count = counts.get(what.toString());
        return count == null ? 0 : count.sum();
    }

    @Override
    public String toString() {
        return new TreeMap<>(counts)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }
}
