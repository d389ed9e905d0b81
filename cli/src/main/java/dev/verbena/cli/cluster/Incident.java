// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;

/**
 * A node crash, a node restart, or the start or end of a network partition during a simulation.
 *
 * @param at the virtual time since the start of the simulation
 * @param node for a crash or restart, the index of the node; for a partition, the number of nodes in the smaller subset of
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
