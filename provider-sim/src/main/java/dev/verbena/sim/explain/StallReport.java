// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import java.util.List;
import java.util.stream.Collectors;

/** The report of a failed test or deadlocked simulation: the queue pairs of a device with outstanding work requests. */
public final class StallReport {
    private static final int MOST_LINES = 100;

    private StallReport() {}

    public static String of(String device, List<QpExplainer> queuePairs) {
        List<QpExplainer> waiting =
                queuePairs.stream().filter(QpExplainer::hasOutstanding).toList();
        int more = waiting.size() - MOST_LINES;
        return waiting.stream()
                        .limit(MOST_LINES)
                        .map(queuePair -> device + ": " + queuePair.standing())
                        .collect(Collectors.joining("\n"))
                + (more > 0 ? "\n" + device + ": and " + more + " more queue pairs" : "");
    }
}
