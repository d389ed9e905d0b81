// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.wire.Psn;

/**
 * If a program thread polls for packets, this class decides when the device sends an acknowledgement. The coalescer first
 * delays the acknowledgement, so that the application can react to the packets just received. If the application sends a
 * request to the same peer, the {@code AckCoalescer} holds the acknowledgement during up to {@link #MAX_POLLS} further
 * polls of the sockets. If the peer's next packet arrives during this time, the acknowledgement of the next packet replaces
 * the held acknowledgement.
 *
 * <p>A held acknowledgement slows a peer that waits for the acknowledgement before it sends more. If the peer acknowledges
 * the application's request, the {@code AckCoalescer} immediately sends the acknowledgement that it holds for this peer. If
 * a held acknowledgement is sent because no later acknowledgement has replaced it, the coalescer doubles {@link #every},
 * the interval between held acknowledgements. If a later acknowledgement replaces a held acknowledgement, the coalescer
 * halves {@code every}, but not below 1.
 *
 * <p>Only polls by an application's thread are counted. When the application stops polling, the port's receive thread sends the
 * held acknowledgements (see {@link SocketPoller}). The caller reports each event. This class is not thread-safe.
 */
final class AckCoalescer {
    /**
     * The maximum number of polls during which the coalescer holds an acknowledgement after the application has sent a
     * request. A nearby peer answers a request before the application has polled {@code MAX_POLLS} times.
     */
    static final int MAX_POLLS = 32;

    /** The maximum number of earlier acknowledgements that one held acknowledgement can replace. */
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

    /** The number of polls that have ended since {@link #state} was last set. */
    private int polls;

    /** The number of earlier acknowledgements that are not sent, because the pending acknowledgement replaced them. */
    private int replaced;

    /** The PSN of the request that made the coalescer hold the pending acknowledgement. */
    private int psn;

    /**
     * Whether this {@code AckCoalescer} has already decided to hold the pending acknowledgement or not to hold it. While an
     * acknowledgement is pending, only the application's first request can make the coalescer hold the acknowledgement.
     */
    private boolean decided;

    /** Whether the peer has acknowledged the request with PSN {@link #psn}. */
    private boolean acknowledged;

    /**
     * The interval between held acknowledgements. If n is the value of {@code every}, the coalescer holds every n-th
     * acknowledgement that it may hold.
     */
    private int every = 1;

    /** The number of acknowledgements since the last held one that the coalescer could hold but did not hold. */
    private int passed;

    /** Records a further pending acknowledgement. */
    void added() {
        switch (state) {
            case NONE -> begin(State.FRESH);
            case FRESH -> {
                // The poll counter is not reset, because a reset would delay the acknowledgements that are already
                // pending.
            }
            // While several acknowledgements are pending, the coalescer holds none of them. One system call can send
            // several acknowledgements.
            case HELD -> {
                state = State.FRESH;
                decided = true;
            }
        }
    }

    /** Returns whether the pending acknowledgement is held, so that a later acknowledgement can replace it. */
    boolean isHeld() {
        return state == State.HELD;
    }

    /** Records that a later acknowledgement replaced the pending one. */
    void replaced() {
        replaced++;
        every = Math.max(1, every / 2);
        begin(State.FRESH);
    }

    /**
     * Records a request that the application has sent, and decides whether to hold the pending acknowledgement. Call only
     * if exactly one acknowledgement is pending. Its destination must be the peer to which the request is sent.
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
     * Records the end of a poll. Returns whether to send the pending acknowledgements now. The parameter {@code any} is
     * true if this poll of the sockets found a datagram.
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
