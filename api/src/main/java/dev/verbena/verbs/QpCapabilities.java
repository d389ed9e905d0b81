// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The queue sizes of a queue pair ({@code struct ibv_qp_cap}, {@code ibv_create_qp}(3)). A device may grant larger sizes
 * than the application requests, but never smaller ones; {@link QueuePair#capabilities()} returns the actual queue sizes.
 * {@link DeviceAttributes} has the limits.
 *
 * @param maxSendWr the maximum number of outstanding send requests
 * @param maxReceiveWr the maximum number of posted receive requests; ignored with a shared receive queue
 * @param maxSendSge the maximum number of scatter/gather entries of a send request
 * @param maxReceiveSge the maximum number of scatter entries of a receive request; ignored with a shared receive queue
 * @param maxInlineData the maximum number of bytes that {@link SendFlag#INLINE} can copy
 * @since 1.0
 */
public record QpCapabilities(int maxSendWr, int maxReceiveWr, int maxSendSge, int maxReceiveSge, int maxInlineData) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public QpCapabilities {
        ValueChecks.notNegative("maxSendWr", maxSendWr);
        ValueChecks.notNegative("maxReceiveWr", maxReceiveWr);
        ValueChecks.notNegative("maxSendSge", maxSendSge);
        ValueChecks.notNegative("maxReceiveSge", maxReceiveSge);
        ValueChecks.notNegative("maxInlineData", maxInlineData);
    }

    /**
     * Creates queue sizes for work requests that have at most one scatter/gather entry and no inline data.
     *
     * @param maxSendWr the depth of the send queue, at least 0
     * @param maxReceiveWr the depth of the receive queue, at least 0
     * @return the queue sizes
     * @throws IllegalArgumentException if a number is negative
     */
    public static QpCapabilities of(int maxSendWr, int maxReceiveWr) {
        return new QpCapabilities(maxSendWr, maxReceiveWr, 1, 1, 0);
    }

    /**
     * Returns a copy of these queue sizes, but with the given depth of the send queue.
     *
     * @param value at least 0
     * @return the new queue sizes
     */
    public QpCapabilities withMaxSendWr(int value) {
        return new QpCapabilities(value, maxReceiveWr, maxSendSge, maxReceiveSge, maxInlineData);
    }

    /**
     * Returns a copy of these queue sizes, but with the given depth of the receive queue.
     *
     * @param value at least 0
     * @return the new queue sizes
     */
    public QpCapabilities withMaxReceiveWr(int value) {
        return new QpCapabilities(maxSendWr, value, maxSendSge, maxReceiveSge, maxInlineData);
    }

    /**
     * Returns a copy of these queue sizes, but with the given maximum number of scatter/gather entries of a send request.
     *
     * @param value at least 0
     * @return the new queue sizes
     */
    public QpCapabilities withMaxSendSge(int value) {
        return new QpCapabilities(maxSendWr, maxReceiveWr, value, maxReceiveSge, maxInlineData);
    }

    /**
     * Returns a copy of these queue sizes, but with the given maximum number of scatter entries of a receive request.
     *
     * @param value at least 0
     * @return the new queue sizes
     */
    public QpCapabilities withMaxReceiveSge(int value) {
        return new QpCapabilities(maxSendWr, maxReceiveWr, maxSendSge, value, maxInlineData);
    }

    /**
     * Returns a copy of these queue sizes, but with the given maximum length of inline data.
     *
     * @param value bytes, at least 0
     * @return the new queue sizes
     */
    public QpCapabilities withMaxInlineData(int value) {
        return new QpCapabilities(maxSendWr, maxReceiveWr, maxSendSge, maxReceiveSge, value);
    }
}
