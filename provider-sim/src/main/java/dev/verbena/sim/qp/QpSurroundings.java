package dev.verbena.sim.qp;

import java.util.List;

/**
 * What a queue pair's device knows beyond its engines, for explanations.
 *
 * @param peerReachable whether somebody on the fabric has the peer's address
 * @param sharedReceives whether receives come from a shared queue
 * @param receives what there is to receive into, in words
 * @param overruns which of its completion queues lost completions, and through whom
 */
public record QpSurroundings(boolean peerReachable, boolean sharedReceives, String receives, List<String> overruns) {
    /** Keeps its own copy of the list. */
    public QpSurroundings {
        overruns = List.copyOf(overruns);
    }
}
