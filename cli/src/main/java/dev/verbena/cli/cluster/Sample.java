package dev.verbena.cli.cluster;

import java.time.Duration;

/**
 * How the cluster stood at one moment; what is counted is counted from the beginning.
 *
 * @param at when, from the beginning
 * @param delivered messages reported as delivered
 * @param deliveredBytes bytes of those
 * @param packets packets that links took
 * @param lostPackets packets that were lost
 * @param retransmitted packets that were sent again
 * @param up nodes that are up
 * @param connections connections that nodes have
 * @param credits credits that nodes have left, of all connections
 * @param creditsInAll credits that they would have if nothing was under way
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
