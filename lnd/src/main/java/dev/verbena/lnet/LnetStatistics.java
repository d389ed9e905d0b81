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
 * @param failed messages that ended with an error
 */
public record LnetStatistics(
        List<Long> sentByType,
        List<Long> receivedByType,
        List<Long> droppedByReason,
        long sentBytes,
        long receivedBytes,
        long failed) {

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
     * Messages that came to nothing for one reason.
     *
     * @param reason the reason
     * @return a count
     */
    public long dropped(DropReason reason) {
        return droppedByReason.get(reason.ordinal());
    }
}
