// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A batch of receive requests in the provider's own format, such as {@code struct ibv_recv_wr}. An application can change
 * and post a batch any number of times. Not thread-safe.
 *
 * @since 1.0
 */
public interface ReceiveRequests extends WorkRequests {
    /**
     * Returns a request of the batch.
     *
     * @param index 0 to {@link #capacity()} - 1
     * @return the request at the index; it still has the values of its last post, unless the application has changed them
     * @throws IndexOutOfBoundsException for any other index
     */
    ReceiveWorkRequest get(int index);
}
