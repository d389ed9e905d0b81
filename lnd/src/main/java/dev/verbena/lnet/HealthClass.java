// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.Errno;

/**
 * The end of a message, as far as it shows the health of interfaces and peers. A driver passes one with each message
 * that it completes; it is {@link #OK} exactly if the status is 0. Source: {@code enum lnet_msg_hstatus}.
 */
public enum HealthClass {
    /** The message ended well. */
    OK(false, false, false),
    /** Interrupted on this side. */
    LOCAL_INTERRUPT(true, false, true),
    /** Not sent, as no connection could be made. */
    LOCAL_DROPPED(true, false, true),
    /** Not sent, as the peer was forgotten in the meantime. */
    LOCAL_ABORTED(true, false, true),
    /** Not sent, as there is no way to the peer. */
    LOCAL_NO_ROUTE(true, false, true),
    /** Failed on this side: no memory, a refused request, or still queued when its connection closed. */
    LOCAL_ERROR(true, false, false),
    /** Still queued when its time was over. */
    LOCAL_TIMEOUT(true, false, true),
    /** The peer answered that it failed. */
    REMOTE_ERROR(false, true, false),
    /** The peer refused the connection or did not confirm the message; it cannot have acted on it. */
    REMOTE_DROPPED(false, true, true),
    /** The peer has the message and did not answer; it may have acted on it. */
    REMOTE_TIMEOUT(false, true, false),
    /** Not confirmed, or no connection, before its time was over; either side or the network may be at fault. */
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
     * The class of a message that a driver refused to send.
     *
     * @param status the negative errno
     * @return {@link #LOCAL_NO_ROUTE} for {@code EHOSTUNREACH}, else {@link #LOCAL_ERROR}
     */
    public static HealthClass ofRefusal(int status) {
        return status == -Errno.EHOSTUNREACH.number() ? LOCAL_NO_ROUTE : LOCAL_ERROR;
    }

    /**
     * Returns whether it counts as a failure of the local interface.
     *
     * @return true if the interface loses health
     */
    public boolean isLocal() {
        return local;
    }

    /**
     * Returns whether it counts as a failure of the peer.
     *
     * @return true if the peer loses health
     */
    public boolean isRemote() {
        return remote;
    }

    /**
     * Returns whether the message may be sent again without the danger that it is delivered twice.
     *
     * @return true if another try is safe and may help
     */
    public boolean mayResend() {
        return resend;
    }
}
