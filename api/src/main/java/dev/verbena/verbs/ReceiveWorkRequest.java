// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A buffer for one message to come ({@code struct ibv_recv_wr}).
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_recv.3.html">ibv_post_recv(3)</a>
 * @since 1.0
 */
public interface ReceiveWorkRequest {
    /**
     * Empties the request: id 0, no entries.
     *
     * @return this
     */
    ReceiveWorkRequest clear();

    /**
     * Sets the id that the completion will carry.
     *
     * @param workRequestId any value
     * @return this
     */
    ReceiveWorkRequest id(long workRequestId);

    /**
     * Adds a part of a region, which must allow LOCAL_WRITE, as the next place that the message fills.
     *
     * @param region the region
     * @param offset the first byte within it
     * @param length bytes
     * @return this
     * @throws IndexOutOfBoundsException if the part is not inside the region
     */
    ReceiveWorkRequest sge(MemoryRegion region, long offset, long length);

    /**
     * Adds a range of memory by its key as the next place that the message fills ({@code struct ibv_sge}), for keys
     * that this API did not return. The device checks range and rights when a message arrives, so that a wrong one
     * completes with LOC_PROT_ERR.
     *
     * @param address the first byte, as local requests address the region of the key, 64 bits unsigned
     * @param length bytes, 0 to 2^32 - 1; a post with another length is refused with
     *     {@link PostRefusal#MESSAGE_TOO_LONG}
     * @param lkey the local key, 32 bits
     * @return this
     */
    ReceiveWorkRequest sge(long address, long length, int lkey);
}
