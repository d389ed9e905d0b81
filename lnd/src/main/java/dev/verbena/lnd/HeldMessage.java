// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.Nid;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A message that has not ended, and the event that it waits for.
 *
 * @param peer the other end
 * @param type its o2iblnd message type
 * @param lnetType the LNet message that it carries, or null for one of the driver's own
 * @param length bytes of its payload, or for a GET of its sink
 * @param waitsFor the event that it waits for
 * @param age how long it has waited since it was queued, at the precision of the driver's clock
 */
public record HeldMessage(
        Nid peer, MessageType type, @Nullable LnetMessageType lnetType, long length, WaitsFor waitsFor, Duration age) {

    /** The event that a message waits for. */
    public enum WaitsFor {
        /** The end of earlier messages to the same peer, of which only some have a transmit descriptor at a time. */
        EARLIER_MESSAGES,
        /** A connection to the peer. */
        CONNECTION,
        /** A credit: the peer holds all of its buffers. */
        CREDIT,
        /** Its turn to be sent. */
        TURN,
        /** The peer's device, to acknowledge the SEND. */
        ACKNOWLEDGEMENT,
        /** The peer, to answer a request. */
        ANSWER
    }

    @Override
    public String toString() {
        return (lnetType == null ? "" : lnetType + " of " + length + " bytes as ") + type + " to " + peer + " waits "
                + age.toSeconds() + " s for " + waitsFor;
    }
}
