// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;

/**
 * The state of the simulated nodes at one time. All counters count from the start of the run.
 *
 * @param at the virtual time since the start of the run
 * @param delivered the number of messages that LNet has reported as delivered
 * @param deliveredBytes the payload of the delivered messages, in bytes
 * @param packets the number of packets sent over the links
 * @param up the number of running nodes
 * @param connections the number of open connections of all nodes
 * @param credits the number of available ko2iblnd credits of all connections
 * @param creditsInAll the number of credits that would be available if no message was in flight
 * @param pending the number of messages that wait for a credit or are being sent
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
