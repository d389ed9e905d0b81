// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.Errno;

/**
 * The health status of a completed LNet message. A health status may reduce the health of a network interface or peer. An
 * LND reports a {@code HealthClass} for each completed message: {@link #OK} if and only if the message's status is 0.
 * Source: {@code enum lnet_msg_hstatus}.
 */
public enum HealthClass {
    /** The message completed without an error. */
    OK(false, false, false),
    /** The transmission was interrupted at this node ({@code LNET_MSG_STATUS_LOCAL_INTERRUPT}). */
    LOCAL_INTERRUPT(true, false, true),
    /** No connection could be established, so the message was not sent. */
    LOCAL_DROPPED(true, false, true),
    /** The peer was removed before the message was sent. */
    LOCAL_ABORTED(true, false, true),
    /** The message was not sent, because this node has no route to the peer. */
    LOCAL_NO_ROUTE(true, false, true),
    /**
     * The message failed at this node: memory allocation failed, a verb failed, or the connection was closed while the
     * message was in the connection's queue.
     */
    LOCAL_ERROR(true, false, false),
    /** The timeout expired while the message was still queued. */
    LOCAL_TIMEOUT(true, false, true),
    /** The peer responded with an error. */
    REMOTE_ERROR(false, true, false),
    /** The peer rejected the connection, or a SEND failed; LNet assumes that the peer did not handle the message. */
    REMOTE_DROPPED(false, true, true),
    /** The peer acknowledged the message but did not respond, so the peer may have handled the message. */
    REMOTE_TIMEOUT(false, true, false),
    /** The timeout expired without a connection or an acknowledgement; a node or the network may be faulty. */
    NETWORK_TIMEOUT(true, true, false);

    private final boolean local;
    private final boolean remote;
    private final boolean resend;

    HealthClass(boolean local, boolean remote, boolean resend) {
        this.local = local;
        this.remote = remote;
        this.resend = resend;
    }

    /**
     * {@return the class of a message that an LND refused to send: {@link #LOCAL_NO_ROUTE} for {@code EHOSTUNREACH},
     * else {@link #LOCAL_ERROR}}
     *
     * @param status the negative errno
     */
    public static HealthClass ofRefusal(int status) {
        return status == -Errno.EHOSTUNREACH.number() ? LOCAL_NO_ROUTE : LOCAL_ERROR;
    }

    /** {@return whether this health status reduces the health of this node's network interface} */
    public boolean isLocal() {
        return local;
    }

    /** {@return whether LNet reduces the health of the peer if a message completes with this health status} */
    public boolean isRemote() {
        return remote;
    }

    /** {@return whether LNet may send the message again; true only if LNet assumes that the peer did not handle it} */
    public boolean mayResend() {
        return resend;
    }
}
