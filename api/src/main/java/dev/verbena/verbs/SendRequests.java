// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Send work requests in the provider's own layout: filled, posted, and reused. For one thread at a time.
 *
 * @since 1.0
 */
public interface SendRequests extends WorkRequests {
    /**
     * Returns one request to fill.
     *
     * @param index 0 to {@link #capacity()} - 1
     * @return the request, as it was left by its last use
     * @throws IndexOutOfBoundsException for any other index
     */
    SendWorkRequest get(int index);
}
