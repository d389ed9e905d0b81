// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Size and limit of a shared receive queue ({@code struct ibv_srq_attr}, {@code ibv_query_srq}(3)).
 *
 * @param maxWr receives it holds, at least 1
 * @param maxSge scatter entries of one receive, at least 0
 * @param limit raises {@link AsyncEventType#SRQ_LIMIT_REACHED} once when fewer receives are left; 0 is off
 * @since 1.0
 */
public record SrqAttributes(int maxWr, int maxSge, int limit) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public SrqAttributes {
        ValueChecks.inRange("maxWr", maxWr, 1, Integer.MAX_VALUE, "see DeviceAttributes.maxSrqWr for the most");
        ValueChecks.notNegative("maxSge", maxSge);
        ValueChecks.inRange("limit", limit, 0, maxWr, "keep it within maxWr, 0 is off");
    }
}
