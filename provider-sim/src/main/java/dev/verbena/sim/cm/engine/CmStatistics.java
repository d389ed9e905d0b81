// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.wire.mad.CmAttribute;
import java.util.Map;

/**
 * The statistics of connection management. For each type of CM message, four maps count the sent, retransmitted, received
 * and duplicate messages. Linux counts the same messages in {@code cm_tx_msgs}, {@code cm_tx_retries}, {@code cm_rx_msgs}
 * and {@code cm_rx_duplicates}.
 *
 * @param ignored the number of received MADs with a class, version or attribute that the connection manager does not handle
 * @param malformed the number of received messages that are too short or have invalid fields, including IP addresses that
 *     differ from the packet header
 * @param unmatched the number of received messages that belong to no connection or are not permitted in their
 *     connection's state
 * @param backlogOverflows the number of requests dropped because the backlog of the listener was full
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
