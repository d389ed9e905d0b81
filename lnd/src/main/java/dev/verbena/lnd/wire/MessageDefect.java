// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.verbs.Errno;

/** The defects of a received message, in the order of the checks. Each closes the connection. */
public enum MessageDefect {
    /** No defect. */
    NONE(Errno.EPROTO),
    /** Fewer bytes than magic and version need. */
    TOO_SHORT_FOR_VERSION(Errno.EPROTO),
    /** The magic is neither ours nor ours in the other byte order. */
    BAD_MAGIC(Errno.EPROTO),
    /** The version is none we know. */
    BAD_VERSION(Errno.EPROTO),
    /** Fewer bytes than a header. */
    TOO_SHORT_FOR_HEADER(Errno.EPROTO),
    /** The header claims more bytes than came. */
    LENGTH_BEYOND_RECEIVED(Errno.EPROTO),
    /** The checksum is wrong by either reading of {@code char}. */
    BAD_CHECKSUM(Errno.EPROTO),
    /** The sender's NID is the wildcard. */
    WILDCARD_SOURCE(Errno.EPROTO),
    /** The type is none we know. */
    UNKNOWN_TYPE(Errno.EPROTO),
    /** Fewer bytes than the type needs. */
    TOO_SHORT_FOR_TYPE(Errno.EPROTO),
    /** An RDMA descriptor without fragments, or with too many. */
    BAD_FRAGMENT_COUNT(Errno.EPROTO),
    /** Fewer bytes than the descriptor's fragments need. */
    TOO_SHORT_FOR_FRAGMENTS(Errno.EPROTO),
    /** A message for, or from, another interface than the connection's. */
    WRONG_NID(Errno.ESTALE),
    /** A message for, or from, another incarnation than the connection's. */
    WRONG_STAMP(Errno.ESTALE),
    /** A connection message on the queue pair. */
    TYPE_NOT_ON_QP(Errno.EPROTO);

    private final Errno errno;

    MessageDefect(Errno errno) {
        this.errno = errno;
    }

    /**
     * The error with which the connection closes.
     *
     * @return EPROTO or ESTALE; without meaning for {@link #NONE}
     */
    public Errno errno() {
        return errno;
    }
}
