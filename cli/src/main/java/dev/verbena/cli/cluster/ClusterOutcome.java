// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;
import java.util.List;

/**
 * The outcome of a run of a simulated cluster.
 *
 * @param started the number of PUTs and GETs that were started during the run
 * @param delivered the number of messages that LNet reported as delivered
 * @param failed the number of messages that LNet reported as failed, plus the number of messages that were not answered
 * @param orphaned the number of messages that were not reported as delivered before their initiator crashed
 * @param partitions the number of network partitions that were healed during the run
 * @param time the duration of the run, in virtual time
 * @param events the number of tasks and timers that the virtual-time runtime ran
 * @param hash a hash of all LNet events, crashes, restarts and partitions; the hash includes the time of each
 * @param violated the number of violated guarantees
 * @param violations descriptions of the first violations
 * @param samples samples of the cluster's state, in the order of time
 * @param incidents crashes, restarts and partitions, in the order of time
 */
public record ClusterOutcome(
        ClusterDescription description,
        long started,
        long delivered,
        long failed,
        long orphaned,
        int crashes,
        int partitions,
        Duration time,
        long events,
        String hash,
        long violated,
        List<String> violations,
        List<Sample> samples,
        List<Incident> incidents) {
    public ClusterOutcome {
        violations = List.copyOf(violations);
        samples = List.copyOf(samples);
        incidents = List.copyOf(incidents);
    }

    /** Returns whether the run lost no message, duplicated no message and leaked no object. */
    public boolean isGood() {
        return violated == 0;
    }
}
