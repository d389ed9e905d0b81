// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;

/**
 * A send request ({@code struct ibv_send_wr}): one operation for the send queue.
 *
 * <p>To begin a send request, a program calls the method of an operation, such as {@link #send}. The called method sets the
 * id to 0 and removes all flags and scatter/gather entries of the request. Before posting the batch, the program sets the
 * id, the flags and the scatter/gather entries of the request. When the post has returned, the program may change the
 * request or post it again.
 *
 * <p>A scatter/gather entry is a range of a memory region, or an address range with its L_Key. Without {@link #inline} the
 * device owns the bytes of the scatter/gather entries until the request completes, or until a later request of the same
 * queue completes.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 * @since 1.0
 */
public interface SendWorkRequest {
    /**
     * Sends a message to the peer's next receive. RC, UC, UD.
     *
     * @return this
     */
    SendWorkRequest send();

    /**
     * Sends a message with 32 bits of immediate data. RC, UC, UD.
     *
     * @param immediateData the immediate data: 32 bits for the receiver's completion
     * @return this
     */
    SendWorkRequest sendWithImmediate(int immediateData);

    /**
     * Sends a message and invalidates an R_Key of the peer. RC.
     *
     * @param rkey the peer's R_Key to invalidate, of a type 2 window or of a region registered by REG_MR
     * @return this
     */
    SendWorkRequest sendWithInvalidate(int rkey);

    /**
     * Writes into the peer's memory. RC, UC.
     *
     * @param remoteAddress the address in the peer's memory
     * @param rkey the remote key of the memory
     * @return this
     */
    SendWorkRequest rdmaWrite(long remoteAddress, int rkey);

    /**
     * Writes into the peer's memory and completes the peer's next receive. RC, UC.
     *
     * @param remoteAddress the address in the peer's memory
     * @param rkey the remote key of the memory
     * @param immediateData the immediate data: 32 bits for the receiver's completion
     * @return this
     */
    SendWorkRequest rdmaWriteWithImmediate(long remoteAddress, int rkey, int immediateData);

    /**
     * Reads the peer's memory into the scatter/gather entries. RC.
     *
     * @param remoteAddress the address in the peer's memory
     * @param rkey the remote key of the memory
     * @return this
     */
    SendWorkRequest rdmaRead(long remoteAddress, int rkey);

    /**
     * Replaces 8 bytes of the peer's memory if they equal an expected value; the one scatter/gather entry receives the former
     * value. RC.
     *
     * @param remoteAddress the address in the peer's memory, a multiple of 8
     * @param rkey the remote key of the memory
     * @param compare the expected value
     * @param swap the new value
     * @return this
     */
    SendWorkRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap);

    /**
     * Adds a number to 8 bytes of the peer's memory; the one scatter/gather entry receives the former value. RC.
     *
     * @param remoteAddress the address in the peer's memory, a multiple of 8
     * @param rkey the remote key of the memory
     * @param add the value that is added, modulo 2^64
     * @return this
     */
    SendWorkRequest fetchAndAdd(long remoteAddress, int rkey, long add);

    /**
     * Writes 8 bytes to the peer's memory atomically. The scatter/gather entries of an ATOMIC_WRITE must have a total
     * length of 8 bytes. RC.
     *
     * @param remoteAddress the address in the peer's memory, a multiple of 8
     * @param rkey the remote key of the memory
     * @return this
     */
    SendWorkRequest atomicWrite(long remoteAddress, int rkey);

    /**
     * Waits until earlier writes are visible or persistent at the peer. RC.
     *
     * @param remoteAddress the start address of the flushed range in the peer's memory
     * @param rkey the remote key of the memory
     * @param length the length of the range in bytes, up to 2^32 - 1; ignored for a whole region
     * @param target whether the FLUSH covers the range or the whole region
     * @param placement visible or persistent
     * @return this
     */
    SendWorkRequest flush(long remoteAddress, int rkey, long length, FlushTarget target, FlushPlacement placement);

    /**
     * Binds a type 2 memory window. RC, UC.
     *
     * @param window the memory window, which must not be bound yet
     * @param newRkey the new R_Key of the window: its current R_Key with another low byte, see {@link RemoteKey#increment}
     * @param binding the range and the access rights of the memory window
     * @return this
     */
    SendWorkRequest bindMemoryWindow(MemoryWindow window, int newRkey, MemoryWindowBinding binding);

    /**
     * Invalidates a local R_Key after all earlier requests of this queue have completed. RC.
     *
     * @param rkey the R_Key of a local type 2 window, or of a local region of {@link
     *     dev.verbena.verbs.kernel.FastRegistration}
     * @return this
     */
    SendWorkRequest localInvalidate(int rkey);

    /**
     * Sets the work request id, which the completion reports.
     *
     * @param workRequestId any value
     * @return this
     */
    SendWorkRequest id(long workRequestId);

    /**
     * Makes the request signaled, so that it also produces a completion on success.
     *
     * @return this
     */
    SendWorkRequest signaled();

    /**
     * Makes the peer's completion solicited. A completion queue that is armed with {@link Notification#SOLICITED_ONLY}
     * produces an event only for a solicited or failed completion.
     *
     * @return this
     */
    SendWorkRequest solicited();

    /**
     * Delays the request until earlier READs and atomics of this queue have completed.
     *
     * @return this
     */
    SendWorkRequest fence();

    /**
     * Copies the bytes of the scatter/gather entries during the post, so that the program may then change the bytes.
     *
     * @return this
     */
    SendWorkRequest inline();

    /**
     * Sets the message to a copy of bytes in any memory, registered or not. This method replaces the request's
     * scatter/gather entries, and implies {@link #inline()}.
     *
     * @param data the bytes to send, at most the queue's maxInlineData; the method has copied them when it returns
     * @return this
     */
    SendWorkRequest inlineData(MemorySegment data);

    /**
     * Adds a range of a memory region as the next scatter/gather entry.
     *
     * @param region the region
     * @param offset the offset of the range within the memory region, in bytes
     * @param length the length in bytes
     * @return this
     * @throws IndexOutOfBoundsException if the range is not inside the memory region
     */
    SendWorkRequest sge(MemoryRegion region, long offset, long length);

    /**
     * Adds an address range with its L_Key as the next scatter/gather entry ({@code struct ibv_sge}). The L_Key may also
     * come from outside of this API, for example from an imported region. The device checks range and access rights when it
     * executes the request, and completes the request with LOC_PROT_ERR if the check fails. With {@link #inline()} the
     * provider copies the bytes during the post. The post refuses an inline send with {@link
     * PostRefusal#INLINE_KEY_UNKNOWN} if no region of this provider has the L_Key and covers the bytes.
     *
     * @param address the address of the first byte, 64 bits unsigned, in the address range of the region that has the L_Key
     * @param length the length in bytes, 0 to 2^32 - 1; a post with another length is refused with
     *     {@link PostRefusal#MESSAGE_TOO_LONG}
     * @param lkey the L_Key, 32 bits
     * @return this
     */
    SendWorkRequest sge(long address, long length, int lkey);

    /**
     * Sets the destination of a UD message.
     *
     * @param handle the address handle of the destination
     * @param remoteQpn the destination QPN, 24 bits; {@link #MULTICAST_QPN} for a multicast group
     * @param remoteQkey the Q_Key of the destination; a value with bit 31 set means the queue pair's own Q_Key
     * @return this
     */
    SendWorkRequest to(AddressHandle handle, int remoteQpn, int remoteQkey);

    /** The destination QPN of a multicast group. */
    int MULTICAST_QPN = 0xFFFFFF;
}
