package dev.verbena.cli.cluster;

import java.time.Duration;

/**
 * Something that was done to the cluster.
 *
 * @param at when, from the beginning
 * @param kind what
 * @param node the node, or for a partition how many nodes are on the smaller side
 */
public record Incident(Duration at, Kind kind, int node) {
    /** What may be done to a cluster. */
    public enum Kind {
        /** A node died. */
        CRASH,
        /** A node came back. */
        RESTART,
        /** The cluster fell apart. */
        PARTITION,
        /** A partition ended. */
        HEALING
    }
}
