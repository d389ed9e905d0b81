// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The size and the limit of a shared receive queue ({@code struct ibv_srq_attr}, {@code ibv_query_srq}(3)).
 *
 * @param maxWr the maximum number of posted receives, at least 1
 * @param maxSge the maximum number of scatter entries of a receive, at least 0
 * @param limit the limit; the device raises {@link AsyncEventType#SRQ_LIMIT_REACHED} once, as soon as the number of
 *     posted receives is below the limit; 0 disarms the event
 * @since 1.0
 */
public record SrqAttributes(int maxWr, int maxSge, int limit) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one of the attributes is out of range
     */
    public SrqAttributes {
        ValueChecks.inRange("maxWr", maxWr, 1, Integer.MAX_VALUE, "DeviceAttributes.maxSrqWr is the maximum");
        ValueChecks.notNegative("maxSge", maxSge);
        ValueChecks.inRange("limit", limit, 0, maxWr, "it must not exceed maxWr; 0 disarms the limit event");
    }
}
