// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.verbs.Errno;

/** The defects of a received message, in the order in which they are checked. Each defect closes the connection. */
public enum MessageDefect {
    /** The message has no defect. */
    NONE(Errno.EPROTO),
    /** The message is too short for magic and version. */
    TOO_SHORT_FOR_VERSION(Errno.EPROTO),
    /** The magic is wrong in both byte orders. */
    BAD_MAGIC(Errno.EPROTO),
    /** The version is unknown. */
    BAD_VERSION(Errno.EPROTO),
    /** The message is shorter than a header. */
    TOO_SHORT_FOR_HEADER(Errno.EPROTO),
    /** The length in the header exceeds the number of bytes received. */
    LENGTH_BEYOND_RECEIVED(Errno.EPROTO),
    /** The checksum is wrong for both signs of {@code char}. */
    BAD_CHECKSUM(Errno.EPROTO),
    /** The NID of the sender is the wildcard. */
    WILDCARD_SOURCE(Errno.EPROTO),
    /** The type is unknown. */
    UNKNOWN_TYPE(Errno.EPROTO),
    /** The message is shorter than its type requires. */
    TOO_SHORT_FOR_TYPE(Errno.EPROTO),
    /** The RDMA descriptor has no fragments or too many. */
    BAD_FRAGMENT_COUNT(Errno.EPROTO),
    /** The message is too short for the fragments of its RDMA descriptor. */
    TOO_SHORT_FOR_FRAGMENTS(Errno.EPROTO),
    /** The source or the destination NID differs from that of the connection. */
    WRONG_NID(Errno.ESTALE),
    /** The source or the destination incarnation differs from that of the connection. */
    WRONG_STAMP(Errno.ESTALE),
    /** The queue pair received a message that is valid only as CM private data. */
    TYPE_NOT_ON_QP(Errno.EPROTO);

    private final Errno errno;

    MessageDefect(Errno errno) {
        this.errno = errno;
    }

    /** {@return the errno with which the connection closes, EPROTO or ESTALE; undefined for {@link #NONE}} */
    public Errno errno() {
        return errno;
    }
}
