// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.Nid;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An o2iblnd message that the LND has not completed, and the event for which the message waits.
 *
 * @param peer the NID of the peer
 * @param type the o2iblnd message type
 * @param lnetType the type of the LNet message in the o2iblnd message, or null for a message without an LNet message
 * @param length the length of the payload, or of a GET's destination buffer, in bytes
 * @param waitsFor the event for which the message waits
 * @param age the time since the message was queued for its peer
 */
public record HeldMessage(
        Nid peer, MessageType type, @Nullable LnetMessageType lnetType, long length, WaitsFor waitsFor, Duration age) {

    /** The events for which an LNet message may wait before the LND sends it. */
    public enum WaitsFor {
        /** {@link O2ibTunables#peerShare} messages to the peer are in progress, and one must be finalized first. */
        EARLIER_MESSAGES,
        /** A connection to the peer. */
        CONNECTION,
        /** The peer must return a credit, because this node has used all send credits of the connection. */
        CREDIT,
        /** The message is in a send queue, and needs no further credit. */
        TURN,
        /** The message waits for the peer's device to acknowledge its SEND. */
        ACKNOWLEDGEMENT,
        /** The peer must respond to the request. */
        ANSWER
    }

    @Override
    public String toString() {
        return (lnetType == null ? "" : lnetType + " of " + length + " bytes as ") + type + " to " + peer + " waits "
                + age.toSeconds() + " s for " + waitsFor;
    }
}
