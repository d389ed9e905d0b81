// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.time.Duration;

/**
 * The state of the simulated nodes at one time. All counters count from the start of the simulation.
 *
 * @param at the virtual time since the start of the simulation
 * @param delivered the number of PUTs and GETs that have received their ACK or REPLY, without an error
 * @param deliveredBytes the total data length of the delivered PUTs and GETs, in bytes
 * @param packets the number of packets sent over the simulated links
 * @param up the number of live nodes
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
