// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The counters of a node's LNet, guarded by LNet's lock. The counters that every message changes are the first fields. */
final class LnetCounters {

    private static final int TYPES = LnetMessageType.values().length;

    private static final int ENDED_WELL = 0;
    private static final int SENT_BYTES = 1;
    private static final int RECEIVED_BYTES = 2;
    /** Each message type has two counters: one for messages sent, and one for messages received. */
    private static final int SENT = 3;

    private static final int RECEIVED = SENT + 1;
    private static final int DROPPED = SENT + 2 * TYPES;
    private static final int ENDED = DROPPED + DropReason.values().length;
    private static final int PEERS_LOST = ENDED + HealthClass.values().length;

    private final long[] counts = new long[PEERS_LOST + 1];

    void sent(LnetMessageType type, long bytes) {
        counts[SENT + 2 * type.ordinal()]++;
        counts[SENT_BYTES] += bytes;
    }

    void received(LnetMessageType type, long bytes) {
        counts[RECEIVED + 2 * type.ordinal()]++;
        counts[RECEIVED_BYTES] += bytes;
    }

    void dropped(DropReason reason) {
        counts[DROPPED + reason.ordinal()]++;
    }

    void ended(HealthClass health) {
        counts[health == HealthClass.OK ? ENDED_WELL : ENDED + health.ordinal()]++;
    }

    void peerLost() {
        counts[PEERS_LOST]++;
    }

    LnetStatistics snapshot() {
        long[] ended = Arrays.copyOfRange(counts, ENDED, PEERS_LOST);
        ended[HealthClass.OK.ordinal()] = counts[ENDED_WELL];
        return new LnetStatistics(new LnetStatistics.Values(
                byType(SENT),
                byType(RECEIVED),
                Arrays.stream(counts, DROPPED, ENDED).boxed().toList(),
                counts[SENT_BYTES],
                counts[RECEIVED_BYTES],
                Arrays.stream(ended).boxed().toList(),
                counts[PEERS_LOST]));
    }

    private List<Long> byType(int first) {
        return IntStream.range(0, TYPES)
                .mapToObj(type -> counts[first + 2 * type])
                .toList();
    }
}
