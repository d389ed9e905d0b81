// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;

/**
 * A crash, a restart or a partition during a cluster run.
 *
 * @param at the time since the start of the run
 * @param node for a crash or restart, the index of the node; for a partition, the number of nodes in the smaller part of
 *     the cluster
 */
public record Incident(Duration at, Kind kind, int node) {
    public enum Kind {
        CRASH,
        RESTART,
        PARTITION,
        HEALING
    }
}
