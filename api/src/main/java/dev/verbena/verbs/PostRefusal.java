// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Why a post refused a work request: the return value beside {@code bad_wr} in C.
 *
 * <p>A full queue is normal and not an exception. So a post returns how many requests it accepted, and the batch
 * records the refused request and the reason.
 *
 * @since 1.0
 */
public enum PostRefusal {
    /** Every request was accepted. */
    NONE(Errno.UNKNOWN, "nothing was refused"),
    /** The queue has no free slot. */
    QUEUE_FULL(
            Errno.ENOMEM,
            "the queue is full; poll completions first (unsignaled sends free their slot only when a later send completes)"),
    /** The state of the queue pair does not allow it. */
    WRONG_STATE(
            Errno.EINVAL,
            "the queue pair's state does not take it: sends need RTS, SQD, SQE or ERR, receives INIT or later; connect it first, by QpConnector or a ConnectionId"),
    /** More scatter-gather entries than the queue was made for. */
    TOO_MANY_SGES(
            Errno.EINVAL, "it has more scatter-gather entries than the queue's maximum; ask for more at creation"),
    /** The message is longer than the port carries. */
    MESSAGE_TOO_LONG(Errno.EINVAL, "its entries add up to more than the port's maximum message size"),
    /** The inline data is longer than the queue was made for. */
    INLINE_TOO_LONG(Errno.EINVAL, "its inline data is longer than the queue's maxInlineData; ask for more at creation"),
    /** The opcode is not for this type of queue pair or not among the device's capabilities. */
    OPCODE_NOT_SUPPORTED(Errno.EINVAL, "its opcode is not available on this type of queue pair or device"),
    /** A flag does not go with the opcode. */
    BAD_FLAGS(Errno.EINVAL, "a flag does not go with its opcode (INLINE needs an operation that carries payload)"),
    /** The remote address of an atomic operation is not aligned to 8 bytes, or its length is not 8. */
    BAD_ATOMIC(Errno.EINVAL, "an atomic needs a remote address aligned to 8 and a local buffer of exactly 8 bytes"),
    /** A UD send without an address handle. */
    NO_ADDRESS_HANDLE(Errno.EINVAL, "a UD send needs an address handle; call to(handle, qpn, qkey)"),
    /** The request names an object of another device or one that is closed. */
    FOREIGN_OBJECT(Errno.EINVAL, "it names an object that is closed or belongs to another device"),
    /** The arena of the memory of one of its regions was closed, or the mapped file was truncated. */
    MEMORY_CLOSED(
            Errno.EFAULT,
            "it names a region whose memory is gone; keep the arena open, and a mapped file at its length, until the region is closed"),
    /** An inline send names memory by a key that the provider did not register, or beyond the memory of the key. */
    INLINE_KEY_UNKNOWN(
            Errno.EINVAL,
            "its inline data is named by a key whose memory this provider does not know; use inlineData(segment)"),
    /** A receive was posted to a queue pair that takes its receives from a shared queue. */
    USES_SRQ(Errno.EINVAL, "this queue pair receives from a shared receive queue; post there"),
    /** The request was never given an operation. */
    NO_OPERATION(Errno.EINVAL, "no operation was chosen; call send(), rdmaWrite() or another one first"),
    /** The queue is closed. */
    CLOSED(Errno.EINVAL, "the queue is closed"),
    /** The device or its driver failed. */
    DEVICE_ERROR(Errno.EIO, "the device refused it");

    private final Errno errno;
    private final String explanation;

    PostRefusal(Errno errno, String explanation) {
        this.errno = errno;
        this.explanation = explanation;
    }

    /**
     * Returns the error number that C's post functions return.
     *
     * @return the error number; meaningless for {@link #NONE}
     */
    public Errno errno() {
        return errno;
    }

    /**
     * Returns the reason and the cure.
     *
     * @return half a sentence whose subject is the work request
     */
    public String explanation() {
        return explanation;
    }
}
