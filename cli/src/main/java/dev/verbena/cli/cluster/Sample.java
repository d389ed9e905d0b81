// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;

/**
 * The state of the cluster at one time. Counters start at the beginning of the run.
 *
 * @param at the time since the start
 * @param delivered messages reported as delivered
 * @param deliveredBytes bytes of these messages
 * @param packets packets sent over the links
 * @param lostPackets packets that were lost
 * @param retransmitted packets that were retransmitted
 * @param up running nodes
 * @param connections connections of the nodes
 * @param credits available credits of all connections
 * @param creditsInAll credits that would be available if no message was in flight
 * @param pending messages that wait for a credit or are being sent
 */
public record Sample(
        Duration at,
        long delivered,
        long deliveredBytes,
        long packets,
        long lostPackets,
        long retransmitted,
        int up,
        long connections,
        long credits,
        long creditsInAll,
        long pending) {}
