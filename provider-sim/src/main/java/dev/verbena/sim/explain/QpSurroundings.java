// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import java.util.List;

/**
 * Diagnostic information about a queue pair that its device provides for {@link QpExplainer}.
 *
 * @param peerReachable whether a port on the fabric has the peer's address
 * @param sharedReceives whether the queue pair uses an SRQ
 * @param receives the state of the receive queue, as text
 * @param overruns one text for each overrun CQ of the queue pair; the text contains the QPN of the first lost completion
 */
public record QpSurroundings(boolean peerReachable, boolean sharedReceives, String receives, List<String> overruns) {
    public QpSurroundings {
        overruns = List.copyOf(overruns);
    }
}
