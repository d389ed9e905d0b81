// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;

/**
 * One operation for the send queue ({@code struct ibv_send_wr}).
 *
 * <p>Choose the operation first: that method empties the request (id 0, no flags, no entries). Then add id, flags and
 * entries, and post. The request may be changed or posted again as soon as the post returned.
 *
 * <p>A local entry is a part of a region, or a range of addresses with the key of one. The bytes of a request without {@link #inline} belong to the
 * device until its completion, or the completion of a later request of the same queue.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 * @since 1.0
 */
public interface SendWorkRequest {
    /**
     * Sends a message into the peer's next receive. RC, UC, UD.
     *
     * @return this
     */
    SendWorkRequest send();

    /**
     * Sends a message with 32 bits beside it. RC, UC, UD.
     *
     * @param immediateData 32 bits for the receiver's completion
     * @return this
     */
    SendWorkRequest sendWithImmediate(int immediateData);

    /**
     * Sends a message and invalidates a key of the peer. RC.
     *
     * @param rkey the key of a window of type 2 or of a fast registration at the peer
     * @return this
     */
    SendWorkRequest sendWithInvalidate(int rkey);

    /**
     * Writes into the peer's memory. RC, UC.
     *
     * @param remoteAddress where
     * @param rkey the key that grants it
     * @return this
     */
    SendWorkRequest rdmaWrite(long remoteAddress, int rkey);

    /**
     * Writes into the peer's memory and completes its next receive. RC, UC.
     *
     * @param remoteAddress where
     * @param rkey the key that grants it
     * @param immediateData 32 bits for the receiver's completion
     * @return this
     */
    SendWorkRequest rdmaWriteWithImmediate(long remoteAddress, int rkey, int immediateData);

    /**
     * Reads the peer's memory into the entries. RC.
     *
     * @param remoteAddress where
     * @param rkey the key that grants it
     * @return this
     */
    SendWorkRequest rdmaRead(long remoteAddress, int rkey);

    /**
     * Replaces 8 bytes of the peer's memory if they hold an expected value; the one entry gets the former value. RC.
     *
     * @param remoteAddress where, aligned to 8
     * @param rkey the key that grants it
     * @param compare the expected value
     * @param swap the new value
     * @return this
     */
    SendWorkRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap);

    /**
     * Adds to 8 bytes of the peer's memory; the one entry gets the former value. RC.
     *
     * @param remoteAddress where, aligned to 8
     * @param rkey the key that grants it
     * @param add the value to add, modulo 2^64
     * @return this
     */
    SendWorkRequest fetchAndAdd(long remoteAddress, int rkey, long add);

    /**
     * Writes 8 bytes of the peer's memory in one piece; the entries hold exactly 8 bytes. RC.
     *
     * @param remoteAddress where, aligned to 8
     * @param rkey the key that grants it
     * @return this
     */
    SendWorkRequest atomicWrite(long remoteAddress, int rkey);

    /**
     * Waits until earlier writes are visible or persistent at the peer. RC.
     *
     * @param remoteAddress the start of the range
     * @param rkey the key that grants it
     * @param length bytes of the range, up to 2^32 - 1; ignored for a whole region
     * @param target the range or the whole region
     * @param placement visible or persistent
     * @return this
     */
    SendWorkRequest flush(long remoteAddress, int rkey, long length, FlushTarget target, FlushPlacement placement);

    /**
     * Binds a window of type 2. RC, UC.
     *
     * @param window the window, unbound
     * @param newRkey the key it is to have: its present one with another low byte, see {@link RemoteKey#increment}
     * @param binding the range and the rights of the window
     * @return this
     */
    SendWorkRequest bindMemoryWindow(MemoryWindow window, int newRkey, MemoryWindowBinding binding);

    /**
     * Invalidates a key after all earlier requests ended. RC.
     *
     * @param rkey the key of a window of type 2 or of a fast registration of this side
     * @return this
     */
    SendWorkRequest localInvalidate(int rkey);

    /**
     * Sets the id that the completion will carry.
     *
     * @param workRequestId any value
     * @return this
     */
    SendWorkRequest id(long workRequestId);

    /**
     * Requests a completion also on success.
     *
     * @return this
     */
    SendWorkRequest signaled();

    /**
     * Makes the receiver's completion solicited, so that a queue that is armed for solicited completions only announces
     * it.
     *
     * @return this
     */
    SendWorkRequest solicited();

    /**
     * Lets the request wait until earlier READs and atomics of this queue ended.
     *
     * @return this
     */
    SendWorkRequest fence();

    /**
     * Copies the bytes of the entries during the post, so that the caller may change them when the post returns.
     *
     * @return this
     */
    SendWorkRequest inline();

    /**
     * Copies bytes from any memory, registered or not, as the message; implies {@link #inline()}. Replaces the entries.
     *
     * @param data the bytes to send, at most the queue's maxInlineData; read before this method returns
     * @return this
     */
    SendWorkRequest inlineData(MemorySegment data);

    /**
     * Adds a part of a region as the next piece of the message.
     *
     * @param region the region
     * @param offset the first byte within it
     * @param length bytes
     * @return this
     * @throws IndexOutOfBoundsException if the part is not inside the region
     */
    SendWorkRequest sge(MemoryRegion region, long offset, long length);

    /**
     * Adds a range of memory by its key as the next piece of the message ({@code struct ibv_sge}), for keys that this
     * API did not return, such as those of imported regions or of other libraries. The device checks range and rights
     * when it executes the request, so that a wrong one completes with LOC_PROT_ERR. With {@link #inline()} the bytes
     * are copied only if this provider registered the key and it covers them; otherwise the post is refused with
     * {@link PostRefusal#INLINE_KEY_UNKNOWN}.
     *
     * @param address the first byte, as local requests address the region of the key, 64 bits unsigned
     * @param length bytes, 0 to 2^32 - 1; a post with another length is refused with
     *     {@link PostRefusal#MESSAGE_TOO_LONG}
     * @param lkey the local key, 32 bits
     * @return this
     */
    SendWorkRequest sge(long address, long length, int lkey);

    /**
     * Sets the destination of a UD message.
     *
     * @param handle the path
     * @param remoteQpn the 24-bit queue pair number; {@link #MULTICAST_QPN} for a group
     * @param remoteQkey the Q_Key; with bit 31 set, the queue pair's own is sent instead
     * @return this
     */
    SendWorkRequest to(AddressHandle handle, int remoteQpn, int remoteQkey);

    /** The queue pair number that addresses a multicast group. */
    int MULTICAST_QPN = 0xFFFFFF;
}
