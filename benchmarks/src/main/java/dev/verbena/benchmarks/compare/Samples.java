// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * All measurements of a comparison. On a virtual machine, the core-to-core latency (the time to transfer a value from one
 * core to another) may change by a large factor from one minute to the next. The core-to-core latency is measured before
 * and after each measurement. For each measured latency {@code t}, this class counts the measurements whose two latencies
 * were {@code t} to {@code NEAR * t}. {@code quickest()} returns the lowest core-to-core latency whose count is at least
 * half of the highest count. A measurement is valid if the core-to-core latencies before and after it lie between {@code
 * quickest()} and {@code slowest()}. If the core-to-core latency is high, a measured time divided by it is too small.
 */
final class Samples {
    /** Two core-to-core latencies count as equal if their ratio is at most {@code NEAR}. */
    private static final double NEAR = 1.5;

    private final Map<String, List<Sample>> all = new LinkedHashMap<>();
    private final double quickest;

    Samples(List<Sample> samples) {
        samples.forEach(sample ->
                all.computeIfAbsent(sample.name(), name -> new ArrayList<>()).add(sample));
        quickest = quickestOfCommonStates(samples);
    }

    private static double quickestOfCommonStates(List<Sample> samples) {
        double[] candidates = samples.stream()
                .mapToDouble(Sample::quickerProbe)
                .sorted()
                .distinct()
                .toArray();
        long most = 0;
        for (double candidate : candidates) {
            most = Math.max(most, count(candidate, samples));
        }
        for (double candidate : candidates) {
            if (2 * count(candidate, samples) >= most) {
                return candidate;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private static long count(double quickest, List<Sample> samples) {
        return samples.stream().filter(sample -> isIn(quickest, sample)).count();
    }

    private static boolean isIn(double quickest, Sample sample) {
        return sample.quickerProbe() >= quickest && sample.slowerProbe() <= quickest * NEAR;
    }

    private boolean counts(Sample sample) {
        return isIn(quickest, sample);
    }

    static Samples read(Path file) throws IOException {
        List<Sample> samples = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            try {
                samples.add(Sample.parse(lines.get(i)));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ":" + (i + 1) + ": '" + lines.get(i) + "': " + e.getMessage(), e);
            }
        }
        if (samples.isEmpty()) {
            throw new IOException(file + ": there are no samples");
        }
        return new Samples(samples);
    }

    /** Returns the lower limit of the core-to-core latency before and after a valid measurement, in nanoseconds. */
    double quickest() {
        return quickest;
    }

    /** Returns the upper limit of the core-to-core latency before and after a valid measurement, in nanoseconds. */
    double slowest() {
        return quickest * NEAR;
    }

    List<String> names() {
        return List.copyOf(all.keySet());
    }

    String unit(String name) {
        return all.getOrDefault(name, List.of()).stream()
                .map(Sample::unit)
                .findFirst()
                .orElse("");
    }

    int taken(String name) {
        return all.getOrDefault(name, List.of()).size();
    }

    int kept(String name) {
        return (int)
                all.getOrDefault(name, List.of()).stream().filter(this::counts).count();
    }

    int taken() {
        return all.values().stream().mapToInt(List::size).sum();
    }

    int kept() {
        return all.keySet().stream().mapToInt(this::kept).sum();
    }

    /** Returns the valid measurements of a benchmark result in ascending order, or all measurements if none is valid. */
    double[] values(String name) {
        boolean any = kept(name) > 0;
        return all.getOrDefault(name, List.of()).stream()
                .filter(sample -> !any || counts(sample))
                .mapToDouble(Sample::value)
                .sorted()
                .toArray();
    }

    /** Returns the median of the measurements that {@link #values} returns; empty if there are none. */
    OptionalDouble median(String name) {
        double[] values = values(name);
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = values.length / 2;
        return OptionalDouble.of(values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2);
    }
}
