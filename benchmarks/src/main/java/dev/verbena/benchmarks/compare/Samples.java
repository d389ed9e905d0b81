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
 * All samples of a comparison. On a virtual machine handing over between two cores is quick for minutes and several times slower
 * for the next ones; a sample counts if it was quick both before and after it.
 */
final class Samples {
    /** How much slower than the quickest probe of all one may be. */
    static final double NEAR = 1.5;

    private final Map<String, List<Sample>> all = new LinkedHashMap<>();
    private final double limit;

    Samples(List<Sample> samples) {
        double quickest = Double.POSITIVE_INFINITY;
        for (Sample sample : samples) {
            all.computeIfAbsent(sample.name(), name -> new ArrayList<>()).add(sample);
            quickest = Math.min(quickest, Math.min(sample.before(), sample.after()));
        }
        limit = quickest * NEAR;
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

    /** The slowest handing over, in nanoseconds, beside which a sample counts. */
    double limit() {
        return limit;
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
        return (int) all.getOrDefault(name, List.of()).stream()
                .filter(sample -> sample.probe() <= limit)
                .count();
    }

    int taken() {
        return all.values().stream().mapToInt(List::size).sum();
    }

    int kept() {
        return all.keySet().stream().mapToInt(this::kept).sum();
    }

    /** The values that count, in order; all values if none does. */
    double[] values(String name) {
        boolean any = kept(name) > 0;
        return all.getOrDefault(name, List.of()).stream()
                .filter(sample -> !any || sample.probe() <= limit)
                .mapToDouble(Sample::value)
                .sorted()
                .toArray();
    }

    /** The median of the values that count, or nothing if there is no sample at all. */
    OptionalDouble median(String name) {
        double[] values = values(name);
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = values.length / 2;
        return OptionalDouble.of(values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2);
    }
}
