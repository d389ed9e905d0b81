// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import java.util.List;
import java.util.stream.Collectors;

/** The report of a stalled simulation: the requests that the queue pairs of a device still wait for. */
public final class StallReport {
    private static final int MOST_LINES = 100;

    private StallReport() {}

    /**
     * Reports the queue pairs with posted requests or receives.
     *
     * @param device the name of the device
     * @param queuePairs its queue pairs
     * @return a line for each; empty if there is none
     */
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
