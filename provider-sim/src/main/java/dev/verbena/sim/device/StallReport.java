package dev.verbena.sim.device;

import dev.verbena.sim.qp.QpContext;
import java.util.List;
import java.util.stream.Collectors;

/** The report of a stalled simulation: the requests that the queue pairs of a device still wait for. */
final class StallReport {
    private static final int MOST_LINES = 100;

    private StallReport() {}

    private static boolean hasOutstanding(SimQueuePair queuePair) {
        QpContext context = queuePair.engineContext();
        return !context.sendQueue().isEmpty() || !context.receiveQueue().isEmpty();
    }

    /** Returns a line for each queue pair with posted requests or receives; empty if there is none. */
    static String of(String device, List<SimQueuePair> queuePairs) {
        List<SimQueuePair> waiting =
                queuePairs.stream().filter(StallReport::hasOutstanding).toList();
        int more = waiting.size() - MOST_LINES;
        return waiting.stream()
                        .limit(MOST_LINES)
                        .map(queuePair -> device + ": " + queuePair + ": "
                                + queuePair.explainer().standing())
                        .collect(Collectors.joining("\n"))
                + (more > 0 ? "\n" + device + ": and " + more + " more queue pairs" : "");
    }
}
