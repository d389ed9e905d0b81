// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** The reason why a valid incoming message was dropped. LNet does not report the drop to the sender. */
public enum DropReason {
    /** A PUT or GET matches no entry of its portal, or the portal does not exist. */
    NO_MATCH,
    /** A PUT or GET matches an entry whose memory descriptor has no room at the offset. */
    NO_ROOM,
    /** An ACK or REPLY has the handle of a memory descriptor that is unlinked or accepts no answer. */
    UNKNOWN_HANDLE,
    /** A REPLY is longer than its memory descriptor, which does not allow truncation. */
    REPLY_TOO_LONG,
    /** The destination of a message is another node; this node does not route. */
    NOT_FOR_US,
    /** The source NID is of this network but not the sending peer's, or it is a wildcard or loopback NID. */
    FORGED_SOURCE
}
