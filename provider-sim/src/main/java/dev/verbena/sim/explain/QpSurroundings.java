// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import java.util.List;

/**
 * The facts that only the device of a queue pair knows, for explanations.
 *
 * @param peerReachable whether a port on the fabric has the peer's address
 * @param sharedReceives whether receives come from an SRQ
 * @param receives the state of the receive queue, as text
 * @param overruns the completion queues of the queue pair that lost completions, and the QPs these were for
 */
public record QpSurroundings(boolean peerReachable, boolean sharedReceives, String receives, List<String> overruns) {
    /** Copies the list. */
    public QpSurroundings {
        overruns = List.copyOf(overruns);
    }
}
