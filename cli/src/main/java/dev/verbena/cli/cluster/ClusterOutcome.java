// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;
import java.util.List;

/**
 * The outcome of a cluster run.
 *
 * @param description the description of the cluster
 * @param started PUTs and GETs that were started
 * @param delivered messages reported as delivered
 * @param failed messages reported as failed, or not answered
 * @param orphaned messages whose initiator crashed before it received their end
 * @param crashes the number of crashes
 * @param partitions partitions that were healed
 * @param time the duration of the run, in virtual time
 * @param events tasks and alarms that were run
 * @param hash a hash over all events of the messages, with their times
 * @param violated the number of violated guarantees
 * @param violations the first violations, as text
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
    /** Copies the lists. */
    public ClusterOutcome {
        violations = List.copyOf(violations);
        samples = List.copyOf(samples);
        incidents = List.copyOf(incidents);
    }

    /**
     * Returns whether every guarantee was kept.
     *
     * @return true if no message was lost or duplicated, and nothing was leaked
     */
    public boolean isGood() {
        return violated == 0;
    }
}
