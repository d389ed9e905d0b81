// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;

/**
 * A crash, a restart or a partition in the run.
 *
 * @param at its time since the start
 * @param kind its kind
 * @param node the node; for a partition, the number of nodes on the smaller side
 */
public record Incident(Duration at, Kind kind, int node) {
    /** The kinds of incidents. */
    public enum Kind {
        /** A node crashed. */
        CRASH,
        /** A node restarted. */
        RESTART,
        /** The cluster was partitioned. */
        PARTITION,
        /** A partition ended. */
        HEALING
    }
}
