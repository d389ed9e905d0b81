// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.wire.mad.CmAttribute;
import java.util.Map;

/**
 * The statistics of connection management. Each map has every message; the first four are the groups that Linux shows
 * as {@code cm_tx_msgs}, {@code cm_tx_retries}, {@code cm_rx_msgs} and {@code cm_rx_duplicates}.
 *
 * @param sent messages sent, including repetitions
 * @param retransmitted messages sent again because the peer did not answer
 * @param received messages of connection management received
 * @param duplicates messages received again
 * @param ignored MADs of other classes and versions, and messages of attributes that the connection manager does not handle
 * @param malformed messages that contradict themselves or the packet that carried them
 * @param unmatched messages that match no connection, or not the state of theirs
 * @param backlogOverflows requests that were dropped because the program had not taken the events of too many earlier ones
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
