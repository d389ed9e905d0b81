// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.HealthClass;
import org.jspecify.annotations.Nullable;

/**
 * The state of one message. A transmit descriptor is idle if it is not queued, has no outstanding SEND, and waits for
 * no response.
 *
 * <p>The same transmit descriptor sends a PUT_REQ and, after the PUT_ACK, the PUT_DONE. The SENDs of PUT_REQ and PUT_DONE
 * may be outstanding at the same time, so a transmit descriptor counts its outstanding SENDs. Source: {@code struct
 * kib_tx}.
 */
public class Transmit {

    private MessageType type = MessageType.NOOP;
    private long cookie;
    private boolean queued;
    private int sending;
    private boolean waiting;
    private int status;
    private HealthClass health = HealthClass.OK;
    private long deadline;
    /** The next transmit descriptor in the same circular linked list, see {@link TransmitQueues}. */
    private @Nullable Transmit next;

    public Transmit() {}

    /** Prepares an idle transmit descriptor for a new message. The peer's response contains {@code newCookie}. */
    public final void reset(MessageType messageType, long newCookie) {
        cookie = newCookie;
        status = 0;
        health = HealthClass.OK;
        become(messageType);
    }

    /** Changes the type of the message. A PUT_REQ, GET_REQ or PUT_ACK waits for a message from the peer. */
    public final void become(MessageType messageType) {
        type = messageType;
        waiting = messageType.needsReservedCredit() || messageType == MessageType.PUT_ACK;
    }

    public final MessageType type() {
        return type;
    }

    public final long cookie() {
        return cookie;
    }

    public final int status() {
        return status;
    }

    /** Stores the errno of the message's first failure; ignores an {@code errno} of 0 or more. */
    public final void fail(int errno, HealthClass why) {
        if (errno < 0 && status == 0) {
            status = errno;
            health = why;
        }
    }

    public final HealthClass health() {
        return health;
    }

    public final long deadline() {
        return deadline;
    }

    public final void deadline(long nanos) {
        deadline = nanos;
    }

    public final boolean isIdle() {
        return !queued && sending == 0 && !waiting;
    }

    public enum Stage {
        /** The message waits in a queue for earlier messages or for a credit. */
        QUEUED,
        /** The SEND of the message is outstanding. */
        SENDING,
        /** The SEND has completed, and the peer must respond to the message. */
        AWAITING_ANSWER,
        /** No SEND is outstanding, and no response is pending. */
        IDLE
    }

    public final Stage stage() {
        if (queued) {
            return Stage.QUEUED;
        }
        if (sending > 0) {
            return Stage.SENDING;
        }
        return waiting ? Stage.AWAITING_ANSWER : Stage.IDLE;
    }

    final boolean isInRing() {
        return next != null;
    }

    final @Nullable Transmit next() {
        return next;
    }

    final void next(@Nullable Transmit behind) {
        next = behind;
    }

    final boolean isWaiting() {
        return waiting;
    }

    final void waiting(boolean on) {
        waiting = on;
    }

    final boolean isQueued() {
        return queued;
    }

    final void queued(boolean on) {
        queued = on;
    }

    final int sending() {
        return sending;
    }

    final void sending(int change) {
        sending += change;
    }

    @Override
    public String toString() {
        return type + " cookie 0x" + Long.toHexString(cookie) + (queued ? " queued" : "") + " sending " + sending
                + (waiting ? " waiting" : "") + (status == 0 ? "" : " status " + status);
    }
}
