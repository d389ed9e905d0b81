// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.wire.Psn;

/**
 * While an application thread polls a port's UDP sockets, this class decides when the port sends a pending ACK. The ACK
 * first stays pending, so that the application can react to the packets just received. If the application sends a request
 * to the same peer, the {@code AckCoalescer} delays the ACK for up to {@link #MAX_POLLS} further polls of the sockets. If
 * the peer's next packet arrives during this time, the ACK of the next packet replaces the delayed ACK.
 *
 * <p>A delayed ACK slows a peer that waits for the ACK before it sends more. If the peer acknowledges the application's
 * request, the port sends the delayed ACK for this peer at the end of the current poll. The coalescer delays only every
 * n-th ACK that it may delay, where n is the value of {@link #every}. If a delayed ACK is sent because no later ACK has
 * replaced it, the coalescer doubles {@code every}. If a later ACK replaces a delayed ACK, the coalescer halves {@code
 * every} (minimum 1).
 *
 * <p>The coalescer counts only polls of the sockets by application threads. When the application stops polling the sockets,
 * the port's receive thread sends the pending ACKs (see {@link SocketPoller}). The caller reports ACKs, requests, responses
 * and polls. This class is not thread-safe.
 */
final class AckCoalescer {
    /**
     * The maximum number of polls of the sockets for which the coalescer delays an ACK after the application has sent a
     * request. A peer with a short round-trip time responds before the application has polled {@code MAX_POLLS} times.
     */
    static final int MAX_POLLS = 32;

    /** The maximum number of earlier ACKs that one pending ACK can replace. */
    static final int MAX_REPLACED = 16;

    /** The greatest value of {@link #every}. */
    static final int MAX_PASSED = 1024;

    /**
     * A response can acknowledge a request only if the distance from the request's PSN to the response's PSN is less than
     * {@code NEAR}. The coalescer ignores responses at a distance of {@code NEAR} or more from the request's PSN.
     */
    private static final int NEAR = 1 << 10;

    private enum State {
        /** No acknowledgement is pending. */
        NONE,
        /** An acknowledgement is pending, and the application may still send a request to the acknowledged peer. */
        FRESH,
        /** An acknowledgement is pending, and the application has sent a request to the acknowledged peer. */
        HELD
    }

    private State state = State.NONE;

    /** The number of polls of the UDP sockets that have ended since {@link #state} was last set. */
    private int polls;

    /** The number of earlier ACKs that are not sent, because the pending ACK replaced them. */
    private int replaced;

    /** The PSN of the request that made the coalescer delay the pending ACK. */
    private int psn;

    /**
     * Whether this {@code AckCoalescer} has already decided to delay or not to delay the pending ACK. While an ACK is
     * pending, only the application's first request to the same peer can make the coalescer delay the ACK.
     */
    private boolean decided;

    /** Whether the peer has acknowledged the request with PSN {@link #psn}. */
    private boolean acknowledged;

    /** If n is the value of {@code every}, the coalescer delays every n-th ACK that it may delay. */
    private int every = 1;

    /** The number of ACKs since the last delayed ACK that the coalescer could have delayed but did not delay. */
    private int passed;

    /** Records a further pending acknowledgement. */
    void added() {
        switch (state) {
            case NONE -> begin(State.FRESH);
            case FRESH -> {
                // The count of socket polls (`polls`) is not reset, because a reset would postpone the acknowledgements
                // that are already pending.
            }
            // While several acknowledgements are pending, the coalescer delays none of them. One system call can send
            // several acknowledgements.
            case HELD -> {
                state = State.FRESH;
                decided = true;
            }
        }
    }

    /** Returns whether the pending ACK is delayed, so that a later ACK can replace it. */
    boolean isHeld() {
        return state == State.HELD;
    }

    /** Records that a later ACK replaced the delayed ACK. */
    void replaced() {
        replaced++;
        every = Math.max(1, every / 2);
        begin(State.FRESH);
    }

    /**
     * Records a request that the application has sent, and decides whether to delay the pending ACK. Call only if exactly
     * one ACK is pending. Its destination must be the peer to which the request is sent.
     */
    void answered(int requestPsn) {
        if (state != State.FRESH || decided || replaced >= MAX_REPLACED) {
            return;
        }
        decided = true;
        if (++passed >= every) {
            passed = 0;
            psn = requestPsn;
            begin(State.HELD);
        }
    }

    /** Records a received response. */
    void acknowledged(int responsePsn) {
        acknowledged |= state == State.HELD && Psn.distance(psn, responsePsn) < NEAR;
    }

    /**
     * Records the end of a poll of the UDP sockets. Returns whether to send the pending acknowledgements now. The parameter
     * {@code any} is true if this poll received a datagram.
     */
    boolean endPoll(boolean any) {
        polls++;
        return switch (state) {
            case NONE -> true;
            case FRESH -> !any || polls > 1 || replaced >= MAX_REPLACED;
            case HELD -> acknowledged || polls >= MAX_POLLS;
        };
    }

    /** Records that the pending acknowledgements have been sent. */
    void left() {
        if (state == State.HELD) {
            every = Math.min(MAX_PASSED, every * 2);
        }
        replaced = 0;
        begin(State.NONE);
    }

    private void begin(State next) {
        state = next;
        polls = 0;
        acknowledged = false;
        decided = next == State.HELD;
    }
}
