// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A receive request ({@code struct ibv_recv_wr}): the buffers for one incoming message.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_recv.3.html">ibv_post_recv(3)</a>
 * @since 1.0
 */
public interface ReceiveWorkRequest {
    /**
     * Resets the request to the work request id 0 and no scatter/gather entries.
     *
     * @return this
     */
    ReceiveWorkRequest clear();

    /**
     * Sets the work request id, which the completion reports.
     *
     * @param workRequestId any value
     * @return this
     */
    ReceiveWorkRequest id(long workRequestId);

    /**
     * Adds a range of a memory region as the next buffer of the message; the region must grant LOCAL_WRITE.
     *
     * @param region the region
     * @param offset the offset of the buffer from the start of the memory region, in bytes
     * @param length the length in bytes
     * @return this
     * @throws IndexOutOfBoundsException if the range is not inside the memory region
     */
    ReceiveWorkRequest sge(MemoryRegion region, long offset, long length);

    /**
     * Adds an address range with its L_Key as the next buffer of the message ({@code struct ibv_sge}). The L_Key may also
     * come from outside of this API, for example from an imported region. The device checks range and access rights only
     * when a message arrives. If the check fails, the receive request completes with LOC_PROT_ERR.
     *
     * @param address the address of the first byte, 64 bits unsigned, in the address range of the region that has the L_Key
     * @param length the length in bytes, 0 to 2^32 - 1; a post with another length is refused with
     *     {@link PostRefusal#MESSAGE_TOO_LONG}
     * @param lkey the L_Key, 32 bits
     * @return this
     */
    ReceiveWorkRequest sge(long address, long length, int lkey);
}
