// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;
import java.util.List;

/**
 * The result of the simulation of a cluster.
 *
 * @param started the number of PUTs and GETs that were started during the simulation
 * @param delivered the number of PUTs and GETs that received their ACK or REPLY, without an error
 * @param failed the number of PUTs and GETs that failed or received no ACK or REPLY, while the initiator stayed alive
 * @param orphaned the number of PUTs and GETs that were not delivered before their initiator crashed
 * @param partitions the number of network partitions that were healed during the simulation
 * @param time the duration of the simulation, in virtual time
 * @param events the number of tasks and timers that the virtual-time scheduler executed
 * @param hash a hash of all LNet events, crashes, restarts and partitions; the hash includes the time of each
 * @param violated the number of violations, such as a duplicated message or a leak
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

    /** Returns whether the simulation lost no message, duplicated no message and leaked no resource. */
    public boolean isGood() {
        return violated == 0;
    }
}
