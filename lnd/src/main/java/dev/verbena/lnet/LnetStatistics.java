// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The counters of a node's LNet since the start of the node. */
public final class LnetStatistics {

    private final Values values;

    record Values(
            List<Long> sentByType,
            List<Long> receivedByType,
            List<Long> droppedByReason,
            long sentBytes,
            long receivedBytes,
            List<Long> endedByHealth,
            long peersLost) {}

    LnetStatistics(Values values) {
        this.values = values;
    }

    /** {@return the number of messages passed to an LND for each constant of {@link LnetMessageType}, in enum order} */
    public List<Long> sentByType() {
        return values.sentByType;
    }

    /** {@return the number of received valid messages for this node, by {@link LnetMessageType}} */
    public List<Long> receivedByType() {
        return values.receivedByType;
    }

    /** {@return the number of dropped messages, by {@link DropReason}} */
    public List<Long> droppedByReason() {
        return values.droppedByReason;
    }

    /** {@return the total length of the payloads passed to an LND, in bytes} */
    public long sentBytes() {
        return values.sentBytes;
    }

    /** {@return the total length of the payloads received from an LND, in bytes} */
    public long receivedBytes() {
        return values.receivedBytes;
    }

    /** {@return the number of ended messages for each constant of {@link HealthClass}, in enum order} */
    public List<Long> endedByHealth() {
        return values.endedByHealth;
    }

    /** {@return how often an error ended the only remaining connection or connection attempt of a peer} */
    public long peersLost() {
        return values.peersLost;
    }

    /**
     * {@return the number of messages of the given type that were passed to an LND}
     *
     * @param type the message type
     */
    public long sent(LnetMessageType type) {
        return values.sentByType.get(type.ordinal());
    }

    /**
     * {@return the number of received valid messages of the given type}
     *
     * @param type the message type
     */
    public long received(LnetMessageType type) {
        return values.receivedByType.get(type.ordinal());
    }

    /**
     * {@return the number of messages that ended with the given health class}
     *
     * @param health the result
     */
    public long ended(HealthClass health) {
        return values.endedByHealth.get(health.ordinal());
    }

    /** {@return the number of messages that ended with an error} */
    public long failed() {
        return values.endedByHealth.stream().mapToLong(Long::longValue).sum() - ended(HealthClass.OK);
    }

    /**
     * {@return the number of messages that were dropped for the given reason}
     *
     * @param reason the reason
     */
    public long dropped(DropReason reason) {
        return values.droppedByReason.get(reason.ordinal());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LnetStatistics same && values.equals(same.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "LnetStatistics" + values.toString().substring("Values".length());
    }
}
