// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.wire.mad.CmAttribute;
import java.util.Map;

/**
 * The statistics of connection management. Each map of these statistics has an entry for every message type. The first four
 * maps are the groups that Linux shows as {@code cm_tx_msgs}, {@code cm_tx_retries}, {@code cm_rx_msgs} and
 * {@code cm_rx_duplicates}.
 *
 * @param ignored MADs of other classes and versions, and messages of attributes that the connection manager does not handle
 * @param malformed messages with contradictory fields, or with addresses that differ from the addresses of their packet
 * @param unmatched messages that belong to no connection, or that the state of the connection does not permit
 * @param backlogOverflows requests dropped because the backlog of the listener was full
 */
public record CmStatistics(
        Map<CmAttribute, Long> sent,
        Map<CmAttribute, Long> retransmitted,
        Map<CmAttribute, Long> received,
        Map<CmAttribute, Long> duplicates,
        long ignored,
        long malformed,
        long unmatched,
        long backlogOverflows) {}
