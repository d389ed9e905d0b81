// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.Nid;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An o2iblnd message that has not ended, and the event that it waits for.
 *
 * @param peer the NID of the peer
 * @param type the o2iblnd message type
 * @param lnetType the type of the LNet message inside, or null for a message of o2iblnd itself
 * @param length the length of the payload, or of the sink of a GET, in bytes
 * @param waitsFor the event that the message waits for
 * @param age the time since the message was queued
 */
public record HeldMessage(
        Nid peer, MessageType type, @Nullable LnetMessageType lnetType, long length, WaitsFor waitsFor, Duration age) {

    /** The event that a message waits for. */
    public enum WaitsFor {
        /** The end of earlier messages to the same peer, because the number of messages in progress is limited. */
        EARLIER_MESSAGES,
        /** A connection to the peer. */
        CONNECTION,
        /** A credit: the peer has no free receive buffer for this connection. */
        CREDIT,
        /** The message is ready to be sent. */
        TURN,
        /** The acknowledgement of the SEND by the peer's device. */
        ACKNOWLEDGEMENT,
        /** The peer's answer to a request. */
        ANSWER
    }

    @Override
    public String toString() {
        return (lnetType == null ? "" : lnetType + " of " + length + " bytes as ") + type + " to " + peer + " waits "
                + age.toSeconds() + " s for " + waitsFor;
    }
}
