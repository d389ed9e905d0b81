package dev.verbena.lnet;

import java.util.Arrays;

/** Counts the messages and bytes of one node. Written under the node's lock. */
final class LnetCounters {

    private static final int TYPES = LnetMessageType.values().length;

    private final long[] sent = new long[TYPES];
    private final long[] received = new long[TYPES];
    private final long[] dropped = new long[DropReason.values().length];
    private long sentBytes;
    private long receivedBytes;
    private final long[] ended = new long[HealthClass.values().length];
    private long peersLost;

    void sent(LnetMessageType type, long bytes) {
        sent[type.ordinal()]++;
        sentBytes += bytes;
    }

    void received(LnetMessageType type, long bytes) {
        received[type.ordinal()]++;
        receivedBytes += bytes;
    }

    void dropped(DropReason reason) {
        dropped[reason.ordinal()]++;
    }

    void ended(HealthClass health) {
        ended[health.ordinal()]++;
    }

    void peerLost() {
        peersLost++;
    }

    LnetStatistics snapshot() {
        return new LnetStatistics(
                Arrays.stream(sent).boxed().toList(),
                Arrays.stream(received).boxed().toList(),
                Arrays.stream(dropped).boxed().toList(),
                sentBytes,
                receivedBytes,
                Arrays.stream(ended).boxed().toList(),
                peersLost);
    }
}
