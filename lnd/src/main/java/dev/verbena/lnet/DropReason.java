// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/** Why a valid incoming message was dropped. LNet does not report the drop to the sender. */
public enum DropReason {
    /** A PUT or GET for which no entry of its portal is meant, or for a portal that does not exist. */
    NO_MATCH,
    /** A PUT or GET whose entry has no room for it, or none at the requested offset. */
    NO_ROOM,
    /** An ACK or REPLY for a descriptor that is not there any more, or takes none. */
    UNKNOWN_HANDLE,
    /** A REPLY longer than its descriptor, which does not allow truncation. */
    REPLY_TOO_LONG,
    /** A message for another node; this one does not route. */
    NOT_FOR_US,
    /** A message whose source is a node of this network, or a wildcard or the loopback interface, and not the peer that sent it. */
    FORGED_SOURCE
}
