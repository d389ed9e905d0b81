// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.HealthClass;
import org.jspecify.annotations.Nullable;

/**
 * The part of a transmit descriptor that the queues use: one message from its creation until its end. A descriptor is
 * idle, and returns to its pool, when it is not queued, no SEND of it is outstanding, and no answer to it is awaited.
 *
 * <p>The same descriptor carries PUT_REQ and, after PUT_ACK, PUT_DONE; completions of both SENDs may be outstanding, so
 * "sending" is a count. Source: {@code struct kib_tx}.
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
    /** The next descriptor in the ring, see {@link TransmitQueues}. */
    private @Nullable Transmit next;

    /** Creates an idle descriptor. */
    public Transmit() {}

    /**
     * Makes the descriptor ready for another message; an answer is awaited if its type has one.
     *
     * @param messageType the type of its message
     * @param newCookie the cookie by which an answer will name it
     */
    public final void reset(MessageType messageType, long newCookie) {
        cookie = newCookie;
        status = 0;
        health = HealthClass.OK;
        become(messageType);
    }

    /**
     * Turns PUT_REQ into PUT_DONE, or sets the first type; an answer is awaited if the type has one.
     *
     * @param messageType what it will send
     */
    public final void become(MessageType messageType) {
        type = messageType;
        waiting = messageType.needsReservedCredit() || messageType == MessageType.PUT_ACK;
    }

    /** {@return the type of the message} */
    public final MessageType type() {
        return type;
    }

    /** {@return the cookie by which an answer names this descriptor} */
    public final long cookie() {
        return cookie;
    }

    /** {@return 0, or the negative errno of the first failure} */
    public final int status() {
        return status;
    }

    /**
     * Remembers a failure, unless there was an earlier one.
     *
     * @param errno a negative errno; anything else is ignored
     * @param why what LNet is to make of it
     */
    public final void fail(int errno, HealthClass why) {
        if (errno < 0 && status == 0) {
            status = errno;
            health = why;
        }
    }

    /** {@return the health class that LNet gets for its end; OK as long as the status is 0} */
    public final HealthClass health() {
        return health;
    }

    /** {@return when the message must have been answered, in nanoseconds of the owner's clock} */
    public final long deadline() {
        return deadline;
    }

    /**
     * Sets when the message must have been answered.
     *
     * @param nanos nanoseconds of the owner's clock
     */
    public final void deadline(long nanos) {
        deadline = nanos;
    }

    /** {@return whether the descriptor is neither queued nor sending nor waiting} */
    public final boolean isIdle() {
        return !queued && sending == 0 && !waiting;
    }

    /** How far a message has come. */
    public enum Stage {
        /** It waits for its turn, or for a credit. */
        QUEUED,
        /** Its SEND is on the way. */
        SENDING,
        /** The peer has it and is to answer. */
        AWAITING_ANSWER,
        /** Nothing of the descriptor is outstanding. */
        IDLE
    }

    /** {@return the stage that the message has reached} */
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
