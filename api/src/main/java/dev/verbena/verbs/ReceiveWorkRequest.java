package dev.verbena.verbs;

/**
 * A buffer for one message to come ({@code struct ibv_recv_wr}).
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_recv.3.html">ibv_post_recv(3)</a>
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
}
