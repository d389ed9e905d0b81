// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The counters of a node's LNet since its start. */
public final class LnetStatistics {

    private final Values values;

    /** The attributes; a later release may add more. */
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

    /** {@return messages handed to a driver, by {@link LnetMessageType} in order of its constants} */
    public List<Long> sentByType() {
        return values.sentByType;
    }

    /** {@return valid messages for this node, by type} */
    public List<Long> receivedByType() {
        return values.receivedByType;
    }

    /** {@return dropped messages, by {@link DropReason}} */
    public List<Long> droppedByReason() {
        return values.droppedByReason;
    }

    /** {@return payload bytes handed to a driver} */
    public long sentBytes() {
        return values.sentBytes;
    }

    /** {@return payload bytes taken from a driver} */
    public long receivedBytes() {
        return values.receivedBytes;
    }

    /** {@return messages that ended, well or not, by {@link HealthClass}} */
    public List<Long> endedByHealth() {
        return values.endedByHealth;
    }

    /** {@return how often the last way to a peer ended with an error} */
    public long peersLost() {
        return values.peersLost;
    }

    /**
     * Messages of one type handed to a driver.
     *
     * @param type the type
     * @return a count
     */
    public long sent(LnetMessageType type) {
        return values.sentByType.get(type.ordinal());
    }

    /**
     * Valid received messages of one type.
     *
     * @param type the type
     * @return a count
     */
    public long received(LnetMessageType type) {
        return values.receivedByType.get(type.ordinal());
    }

    /**
     * Messages that ended in one way.
     *
     * @param health the way
     * @return a count
     */
    public long ended(HealthClass health) {
        return values.endedByHealth.get(health.ordinal());
    }

    /**
     * Messages that ended with an error.
     *
     * @return a count
     */
    public long failed() {
        return values.endedByHealth.stream().mapToLong(Long::longValue).sum() - ended(HealthClass.OK);
    }

    /**
     * Messages dropped for one reason.
     *
     * @param reason the reason
     * @return a count
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
