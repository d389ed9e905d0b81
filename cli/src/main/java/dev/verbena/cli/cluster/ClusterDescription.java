// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import dev.verbena.sim.fabric.LinkProperties;
import java.time.Duration;
import java.util.List;

/**
 * The configuration of a simulated cluster, and of the node crashes and network partitions during the simulation.
 *
 * @param peers the number of peers of each node. If {@code peers} is {@code nodes - 1}, each node has all other nodes as
 *     peers. If {@code peers} is less than {@code nodes - 1}, {@code peers} must be even. In the ring of all nodes, half of
 *     a node's peers directly precede the node, and half directly follow the node
 * @param memory the number of bytes of memory that each node registers
 * @param time the duration of the traffic
 * @param links the properties of each link
 * @param loss the probability that a packet is lost, from 0 to 1
 * @param messages the number of LNet PUTs and GETs in the simulation
 * @param puts the share of PUTs among the LNet PUTs and GETs, from 0 to 1
 * @param sizes the possible data lengths of a PUT or GET in bytes, each from 0 to 1 MiB
 * @param crashes the number of crashes; after each crash the crashed node restarts with a new incarnation
 * @param outage the time between a crash and the restart of the node
 * @param partitions the number of partitions, each of which splits the cluster in two
 * @param split the duration of a partition
 */
public record ClusterDescription(
        long seed,
        int nodes,
        int peers,
        long memory,
        Duration time,
        LinkProperties links,
        double loss,
        long messages,
        double puts,
        List<Long> sizes,
        int crashes,
        Span outage,
        int partitions,
        Span split) {
    /** The number of available addresses. Memory, rather than the number of addresses, limits the size of a cluster. */
    public static final int MOST_NODES = 10_000;

    private static final Duration LONGEST_LATENCY = Duration.ofMinutes(1);

    /**
     * The largest duration in a cluster configuration, one year. A {@code long} can count the nanoseconds of several years.
     */
    public static final Duration LONGEST_TIME = Duration.ofDays(365);

    public static final long MOST_MEMORY = 1L << 34;

    /**
     * The maximum number of node crashes, and the maximum number of network partitions, in a cluster configuration. A
     * simulation schedules all of them before the first one occurs.
     */
    public static final int MOST_FAULTS = 100_000;

    public static final long LARGEST_MESSAGE = 1 << 20;

    public record Span(Duration shortest, Duration longest) {
        public Span {
            require(!shortest.isNegative(), "a time cannot be negative: " + shortest);
            require(longest.compareTo(LONGEST_TIME) <= 0, "a time is at most a year, not " + longest);
            require(longest.compareTo(shortest) >= 0, "the longest time " + longest + " is below " + shortest);
        }
    }

    public ClusterDescription {
        require(nodes >= 2 && nodes <= MOST_NODES, "nodes: " + nodes + " is not in 2.." + MOST_NODES);
        require(
                peers == nodes - 1 || (peers >= 2 && peers < nodes && peers % 2 == 0),
                "peers: " + peers + " is neither " + (nodes - 1)
                        + " (all other nodes) nor an even number of at least 2 and less than " + (nodes - 1));
        require(
                memory >= 4 << 20 && memory <= MOST_MEMORY,
                "memory: a node needs 4M at least and 16G at most, not " + memory);
        require(
                time.compareTo(Duration.ofSeconds(1)) >= 0 && time.compareTo(LONGEST_TIME) <= 0,
                "time: traffic needs 1s at least and a year at most, not " + time);
        require(
                links.latency().compareTo(LONGEST_LATENCY) <= 0,
                "latency: " + links.latency() + " is more than " + LONGEST_LATENCY);
        require(loss >= 0 && loss <= 1, "loss: " + loss + " is not in 0..1");
        require(messages >= 1, "messages: there must be 1 at least, not " + messages);
        require(puts >= 0 && puts <= 1, "puts: " + puts + " is not in 0..1");
        sizes = List.copyOf(sizes);
        require(!sizes.isEmpty(), "sizes: name one at least");
        for (long size : sizes) {
            require(size >= 0 && size <= LARGEST_MESSAGE, "sizes: " + size + " is not in 0.." + LARGEST_MESSAGE);
        }
        require(crashes >= 0 && crashes <= MOST_FAULTS, "crashes: " + crashes + " is not in 0.." + MOST_FAULTS);
        require(
                partitions >= 0 && partitions <= MOST_FAULTS,
                "partitions: " + partitions + " is not in 0.." + MOST_FAULTS);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
