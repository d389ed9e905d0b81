// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Sizes of a queue pair ({@code struct ibv_qp_cap}, {@code ibv_create_qp}(3)). A device may grant more than requested,
 * never less; the queue pair returns the granted values. The most that it can is in {@link DeviceAttributes}.
 *
 * @param maxSendWr send requests outstanding at once
 * @param maxReceiveWr receives posted at once; ignored with a shared receive queue
 * @param maxSendSge scatter-gather entries of one send request
 * @param maxReceiveSge scatter entries of one receive; ignored with a shared receive queue
 * @param maxInlineData bytes that {@link SendFlag#INLINE} can copy
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
     * Queues of the given depths, with one scatter-gather entry a request and no inline data.
     *
     * @param maxSendWr depth of the send queue, at least 0
     * @param maxReceiveWr depth of the receive queue, at least 0
     * @return the sizes
     * @throws IllegalArgumentException if a number is negative
     */
    public static QpCapabilities of(int maxSendWr, int maxReceiveWr) {
        return new QpCapabilities(maxSendWr, maxReceiveWr, 1, 1, 0);
    }

    /**
     * The same with another depth of the send queue.
     *
     * @param value at least 0
     * @return new sizes
     */
    public QpCapabilities withMaxSendWr(int value) {
        return new QpCapabilities(value, maxReceiveWr, maxSendSge, maxReceiveSge, maxInlineData);
    }

    /**
     * The same with another depth of the receive queue.
     *
     * @param value at least 0
     * @return new sizes
     */
    public QpCapabilities withMaxReceiveWr(int value) {
        return new QpCapabilities(maxSendWr, value, maxSendSge, maxReceiveSge, maxInlineData);
    }

    /**
     * The same with another number of entries a send request.
     *
     * @param value at least 0
     * @return new sizes
     */
    public QpCapabilities withMaxSendSge(int value) {
        return new QpCapabilities(maxSendWr, maxReceiveWr, value, maxReceiveSge, maxInlineData);
    }

    /**
     * The same with another number of entries a receive.
     *
     * @param value at least 0
     * @return new sizes
     */
    public QpCapabilities withMaxReceiveSge(int value) {
        return new QpCapabilities(maxSendWr, maxReceiveWr, maxSendSge, value, maxInlineData);
    }

    /**
     * The same with room for more or less inline data.
     *
     * @param value bytes, at least 0
     * @return new sizes
     */
    public QpCapabilities withMaxInlineData(int value) {
        return new QpCapabilities(maxSendWr, maxReceiveWr, maxSendSge, maxReceiveSge, value);
    }
}
