package dev.verbena.lnet;

import java.util.List;

/**
 * What a node's LNet has done since it started.
 *
 * @param sentByType messages handed to a driver, by {@link LnetMessageType} in order of its constants
 * @param receivedByType valid messages for this node, by type
 * @param droppedByReason messages that came to nothing, by {@link DropReason}
 * @param sentBytes payload bytes handed to a driver
 * @param receivedBytes payload bytes taken from a driver
 * @param endedByHealth messages that ended, well or not, by {@link HealthClass}
 * @param peersLost how often the last way to a peer ended with an error
 */
public record LnetStatistics(
        List<Long> sentByType,
        List<Long> receivedByType,
        List<Long> droppedByReason,
        long sentBytes,
        long receivedBytes,
        List<Long> endedByHealth,
        long peersLost) {

    /**
     * Messages of one type handed to a driver.
     *
     * @param type the type
     * @return a count
     */
    public long sent(LnetMessageType type) {
        return sentByType.get(type.ordinal());
    }

    /**
     * Valid messages of one type that came in.
     *
     * @param type the type
     * @return a count
     */
    public long received(LnetMessageType type) {
        return receivedByType.get(type.ordinal());
    }

    /**
     * Messages that ended in one way.
     *
     * @param health the way
     * @return a count
     */
    public long ended(HealthClass health) {
        return endedByHealth.get(health.ordinal());
    }

    /**
     * Messages that ended with an error.
     *
     * @return a count
     */
    public long failed() {
        return endedByHealth.stream().mapToLong(Long::longValue).sum() - ended(HealthClass.OK);
    }

    /**
     * Messages that came to nothing for one reason.
     *
     * @param reason the reason
     * @return a count
     */
    public long dropped(DropReason reason) {
        return droppedByReason.get(reason.ordinal());
    }
}
