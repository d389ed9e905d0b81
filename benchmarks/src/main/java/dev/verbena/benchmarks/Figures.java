// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** The results of one JMH execution, keyed by the benchmark's class name. */
record Figures(Map<String, Figure> byBenchmark) {
    private static final String BYTES_PER_OPERATION = "gc.alloc.rate.norm";

    /** The name of the JMH parameter whose value is appended to the benchmark's name. */
    private static final String LIST = "list";

    /**
     * The result of one benchmark: the time of an operation in the benchmark's unit, and the number of bytes allocated
     * for an operation.
     */
    record Figure(double score, double bytes) {}

    static Figures of(Collection<RunResult> results) {
        Map<String, Figure> figures = new TreeMap<>();
        for (RunResult result : results) {
            String method = result.getParams().getBenchmark();
            String type = method.substring(0, method.lastIndexOf('.'));
            @Nullable Result<?> bytes = result.getSecondaryResults().get(BYTES_PER_OPERATION);
            String list = result.getParams().getParam(LIST);
            figures.put(
                    type.substring(type.lastIndexOf('.') + 1) + (list == null ? "" : " " + list),
                    new Figure(result.getPrimaryResult().getScore(), bytes == null ? Double.NaN : bytes.getScore()));
        }
        return new Figures(figures);
    }

    /** Returns whether the benchmark has a result, with any value of its JMH parameter. */
    boolean has(String benchmark) {
        return byBenchmark.keySet().stream().anyMatch(name -> name.startsWith(benchmark));
    }

    List<String> conclusions() {
        List<String> lines = new ArrayList<>();
        Figure post = byBenchmark.get(PostPollBenchmark.class.getSimpleName());
        if (post != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "post and poll of 64 bytes: %.0f ns, %.4f bytes allocated",
                    post.score(),
                    post.bytes()));
        }
        String ofC = NativePostPollBenchmark.class.getSimpleName();
        byBenchmark.forEach((name, figure) -> {
            if (name.startsWith(ofC)) {
                lines.add(String.format(
                        Locale.ROOT,
                        "post and poll over ibverbs, lists of%s: %.1f ns, %.4f bytes allocated",
                        name.substring(ofC.length()),
                        figure.score(),
                        figure.bytes()));
            }
        });
        Figure write = byBenchmark.get(WriteBenchmark.class.getSimpleName());
        Figure copy = byBenchmark.get(CopyBenchmark.class.getSimpleName());
        if (write != null && copy != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "RDMA WRITE of 1 MiB: %.1f GB/s, plain copy: %.1f GB/s, WRITE/copy: %.2f",
                    gigabytesPerSecond(write),
                    gigabytesPerSecond(copy),
                    copy.score() / write.score()));
        }
        return lines;
    }

    private static double gigabytesPerSecond(Figure microseconds) {
        return WriteBenchmark.BYTES / microseconds.score() / 1e3;
    }
}
