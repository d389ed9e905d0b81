package dev.verbena.cli.cluster;

import java.time.Duration;
import java.util.List;

/**
 * What happened in a cluster.
 *
 * @param description what it was to be
 * @param started PUTs and GETs that were started
 * @param delivered those reported as delivered
 * @param failed those reported as failed, or not answered
 * @param orphaned those whose initiator died before it was told
 * @param crashes nodes that died
 * @param partitions partitions that were healed
 * @param time how long it lasted, in virtual time
 * @param events tasks and alarms that were run
 * @param hash of all that was said about the messages, and when
 * @param violated how often a promise was broken
 * @param violations the first of them in words
 * @param samples how it stood, in the order of time
 * @param incidents what was done to it, in the order of time
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
     * Whether every promise was kept.
     *
     * @return true if no message was lost or doubled, and nothing was leaked
     */
    public boolean isGood() {
        return violated == 0;
    }
}
