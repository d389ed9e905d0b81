// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.wire.Psn;

/**
 * While a program thread polls for packets, decides when the device sends an acknowledgement. The coalescer first
 * delays the acknowledgement, so that the application can react to the packets just received. If the application sends
 * a request to the same peer, the {@code AckCoalescer} holds the acknowledgement during up to {@link #MAX_POLLS}
 * further polls of the sockets. If the peer's next packet arrives while an acknowledgement is held, a later
 * acknowledgement replaces the held one.
 *
 * <p>A held acknowledgement slows a peer that waits for the acknowledgement before it sends more. If the peer
 * acknowledges the application's request, the {@code AckCoalescer} immediately sends the acknowledgement that it holds
 * for this peer. If a held acknowledgement is sent because no later acknowledgement has replaced it, the coalescer
 * doubles {@link #every}, the interval between held acknowledgements. If a later acknowledgement replaces a held
 * acknowledgement, the {@code AckCoalescer} halves this interval, down to 1.
 *
 * <p>Only polls by an application's thread are counted. When the application stops polling, the port's receive thread sends the
 * held acknowledgements (see {@link SocketPoller}). The caller reports each event. This class is not thread-safe.
 */
final class AckCoalescer {
    /**
     * The maximum number of polls for which an acknowledgement is held after a request. A nearby peer answers a request
     * within fewer than {@code MAX_POLLS} polls.
     */
    static final int MAX_POLLS = 32;

    /** The maximum number of earlier acknowledgements that one held acknowledgement can replace. */
    static final int MAX_REPLACED = 16;

    /** The greatest value of {@link #every}. */
    static final int MAX_PASSED = 1024;

    /**
     * A response can acknowledge a request only if the distance from the request's PSN to the response's PSN is less
     * than {@code NEAR}. A response at a greater distance belongs to another queue pair.
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

    /** The PSN of the first request sent after the pending acknowledgement. */
    private int psn;

    /**
     * Whether this {@code AckCoalescer} has already decided to hold the pending acknowledgement or not to hold it. Only
     * the first request after an acknowledgement determines whether the acknowledgement is held.
     */
    private boolean decided;

    /** Whether the peer has acknowledged the request with PSN {@link #psn}. */
    private boolean acknowledged;

    /**
     * The interval between held acknowledgements. With the value 1, the coalescer holds back each acknowledgement that
     * may be held back; with the value 2, every second one.
     */
    private int every = 1;

    /** Counts the ACKs that could be held back but were sent. An ACK that is held back resets the count to 0. */
    private int passed;

    /** Records a further pending acknowledgement. */
    void added() {
        switch (state) {
            case NONE -> begin(State.FRESH);
            case FRESH -> {
                // The poll counter is not reset, because a reset would delay the acknowledgements that are already
                // pending.
            }
            // Several acknowledgements are now pending, and one system call can send all of them. Holding
            // acknowledgements longer would save little.
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
     * Decides whether to hold the pending acknowledgement after the application has sent a request to a peer. Call only
     * if exactly one acknowledgement is pending, and this peer is its destination.
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
