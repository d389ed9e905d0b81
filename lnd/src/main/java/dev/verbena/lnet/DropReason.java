// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** The reasons to drop a valid incoming message. LNet does not report a drop to the sender of the message. */
public enum DropReason {
    /** The PUT or GET matches no match entry of its portal, or the portal does not exist. */
    NO_MATCH,
    /** The PUT or GET matches a match entry whose memory descriptor has too little space at the requested offset. */
    NO_ROOM,
    /** The ACK or REPLY has the handle of a memory descriptor that is unlinked or accepts no response. */
    UNKNOWN_HANDLE,
    /** The REPLY is longer than the GET's memory descriptor, and the memory descriptor does not permit truncation. */
    REPLY_TOO_LONG,
    /** The destination NID is that of another node, and this node does not route. */
    NOT_FOR_US,
    /** The source NID is a wildcard or loopback NID, or is on this network but differs from the sending peer's NID. */
    FORGED_SOURCE
}
