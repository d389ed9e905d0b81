// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The reason why a post refused a work request. In C, the post functions return the reason for a refusal as an errno
 * value, and {@code bad_wr} points to the refused request.
 *
 * <p>A full send or receive queue is normal, so a post to it throws no exception. A post returns the number of requests
 * that it accepted, and the batch records the refused request and the reason.
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
    /** The state of the queue pair does not allow the request. */
    WRONG_STATE(
            Errno.EINVAL,
            "the state of the queue pair does not permit this post: sends need RTS, SQD, SQE or ERR, receives INIT or later; connect it first, by QpConnector or a ConnectionId"),
    /** The request has more scatter/gather entries than the queue supports. */
    TOO_MANY_SGES(
            Errno.EINVAL, "it has more scatter/gather entries than the queue permits; create the queue with more"),
    /** The message is longer than the port's maximum message size. */
    MESSAGE_TOO_LONG(Errno.EINVAL, "the total length of its entries exceeds the port's maximum message size"),
    /** The inline data is longer than the queue supports. */
    INLINE_TOO_LONG(
            Errno.EINVAL,
            "its inline data is longer than the queue's maxInlineData; create the queue pair with a larger one"),
    /** The device, or this type of queue pair, does not support the opcode. */
    OPCODE_NOT_SUPPORTED(Errno.EINVAL, "its opcode is not available on this type of queue pair or device"),
    /** The opcode does not allow one of the flags. */
    BAD_FLAGS(Errno.EINVAL, "its opcode does not permit a flag (INLINE needs an operation that carries payload)"),
    /** The remote address of an atomic operation is not aligned to 8 bytes, or the length of the operation is not 8. */
    BAD_ATOMIC(Errno.EINVAL, "an atomic needs a remote address aligned to 8 and a local buffer of exactly 8 bytes"),
    /** The request is a send of a UD queue pair, but has no address handle. */
    NO_ADDRESS_HANDLE(Errno.EINVAL, "a UD send needs an address handle; call to(handle, qpn, qkey)"),
    /** The request refers to an object that is closed or belongs to another device. */
    FOREIGN_OBJECT(Errno.EINVAL, "it refers to an object that is closed or belongs to another device"),
    /**
     * The application closed the arena of a region that the work request uses, or truncated the mapped file of the region.
     */
    MEMORY_CLOSED(
            Errno.EFAULT,
            "it refers to a region whose memory was released; do not close the arena or truncate the mapped file"
                    + " until the region is closed"),
    /** The L_Key of an inline send belongs to no region of the provider, or the inline data is outside the region. */
    INLINE_KEY_UNKNOWN(
            Errno.EINVAL,
            "the key of its inline data is not of a region that this provider registered; use inlineData(segment)"),
    /** A receive request was posted to a queue pair that uses a shared receive queue. */
    USES_SRQ(Errno.EINVAL, "this queue pair receives from a shared receive queue; post to that queue"),
    /** The application has not set the opcode of the send request. */
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

    /** {@return the errno value that C's post functions return; meaningless for {@link #NONE}} */
    public Errno errno() {
        return errno;
    }

    /** {@return the reason for the refusal and the remedy, as text for an error message about the work request} */
    public String explanation() {
        return explanation;
    }
}
