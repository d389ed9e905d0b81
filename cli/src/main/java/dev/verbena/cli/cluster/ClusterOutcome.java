// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;
import java.util.List;

/**
 * The outcome of a cluster run.
 *
 * @param started the number of PUTs and GETs that were started
 * @param delivered the number of messages that were reported as delivered
 * @param failed the number of messages that were reported as failed, or not answered
 * @param orphaned the number of messages whose initiator crashed before the operation ended
 * @param partitions the number of partitions that were healed
 * @param time the duration of the run, in virtual time
 * @param events the number of tasks and timers that the virtual-time runtime ran
 * @param hash a hash over all events of the messages, with their times
 * @param violated the number of violated guarantees
 * @param violations descriptions of the first violations
 * @param samples samples of the run, in the order of time
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

    /** Returns whether no message was lost or duplicated, and nothing was leaked. */
    public boolean isGood() {
        return violated == 0;
    }
}
