// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import java.util.List;

/**
 * Facts about a queue pair that its device provides for {@link QpExplainer}.
 *
 * @param peerReachable whether a port on the fabric has the peer's address
 * @param sharedReceives whether receives come from an SRQ
 * @param receives the state of the receive queue, as text
 * @param overruns one text for each overrun CQ of the queue pair; the text names the queue pairs whose completions were
 *     lost
 */
public record QpSurroundings(boolean peerReachable, boolean sharedReceives, String receives, List<String> overruns) {
    public QpSurroundings {
        overruns = List.copyOf(overruns);
    }
}
