// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.verbs.Errno;

/** Errors in a received o2iblnd message, in the order of the checks. After any error, the receiver disconnects. */
public enum MessageDefect {
    /** The message is valid. */
    NONE(Errno.EPROTO),
    /** The message is too short to contain the magic number and the protocol version. */
    TOO_SHORT_FOR_VERSION(Errno.EPROTO),
    /** The magic number of the message is wrong in little-endian and in big-endian byte order. */
    BAD_MAGIC(Errno.EPROTO),
    /** The protocol version of the message is unknown. */
    BAD_VERSION(Errno.EPROTO),
    /** The message is shorter than a message header. */
    TOO_SHORT_FOR_HEADER(Errno.EPROTO),
    /** The message length in the header exceeds the number of received bytes. */
    LENGTH_BEYOND_RECEIVED(Errno.EPROTO),
    /** The checksum in the message differs from the sum of signed bytes and from the sum of unsigned bytes. */
    BAD_CHECKSUM(Errno.EPROTO),
    /** The NID of the sender is the wildcard NID. */
    WILDCARD_SOURCE(Errno.EPROTO),
    /** The type of the message is unknown. */
    UNKNOWN_TYPE(Errno.EPROTO),
    /** The message is shorter than the minimum length of its type. */
    TOO_SHORT_FOR_TYPE(Errno.EPROTO),
    /** The RDMA descriptor has no fragment, or too many fragments. */
    BAD_FRAGMENT_COUNT(Errno.EPROTO),
    /** The message is too short for the fragments of its RDMA descriptor. */
    TOO_SHORT_FOR_FRAGMENTS(Errno.EPROTO),
    /** The source NID in the message is not the peer's NID, or the destination NID is not this node's NID. */
    WRONG_NID(Errno.ESTALE),
    /**
     * The source incarnation in the message is not the peer's incarnation, or the destination incarnation is not this
     * node's incarnation.
     */
    WRONG_STAMP(Errno.ESTALE),
    /** The queue pair received a message that is valid only as CM private data. */
    TYPE_NOT_ON_QP(Errno.EPROTO);

    private final Errno errno;

    MessageDefect(Errno errno) {
        this.errno = errno;
    }

    /**
     * {@return the errno with which the receiver of the message closes the connection, EPROTO or ESTALE; undefined for
     * NONE}
     */
    public Errno errno() {
        return errno;
    }
}
