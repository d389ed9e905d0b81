// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.wire.Psn;

/**
 * Decides when an acknowledgement is sent while a thread polls. The acknowledgement first waits for the application's
 * reaction to the packets just received. If the application sends a request to the same peer, the coalescer holds the
 * acknowledgement for up to {@link #MAX_POLLS} further polls. If the peer's next packet arrives during these polls, one
 * later acknowledgement replaces the held acknowledgement.
 *
 * <p>If a peer waits for the acknowledgement before it sends more, the delay slows the peer. If the peer acknowledges
 * the application's request, the coalescer sends the held acknowledgement at once. If a held acknowledgement is sent
 * because no later acknowledgement has replaced it, the coalescer doubles {@link #every}, the interval between held
 * acknowledgements. If a later acknowledgement replaces a held acknowledgement, the coalescer halves {@link #every},
 * down to 1.
 *
 * <p>Only polls by an application's thread are counted. When the application stops polling, the port's receive thread sends the
 * held acknowledgements (see {@link SocketPoller}). The caller reports each event. This class is not thread-safe.
 */
final class AckCoalescer {
    /**
     * The maximum number of polls for which an acknowledgement is held after a request. A nearby peer answers the
     * request within fewer polls.
     */
    static final int MAX_POLLS = 32;

    /** The maximum number of earlier acknowledgements that one held acknowledgement can replace. */
    static final int MAX_REPLACED = 16;

    /** The greatest value of {@link #every}. */
    static final int MAX_PASSED = 1024;

    /**
     * A response can acknowledge a request only if the distance from the request's PSN to the response's PSN is less
     * than this number. Any other response belongs to another queue pair.
     */
    private static final int NEAR = 1 << 10;

    private enum State {
        /** No acknowledgement is pending. */
        NONE,
        /** An acknowledgement is pending, and the application may still react to the acknowledged packets. */
        FRESH,
        /** An acknowledgement is pending, and the application has sent a request to the acknowledged peer. */
        HELD
    }

    private State state = State.NONE;

    /** The number of polls that have ended since the coalescer entered its current state. */
    private int polls;

    /** The number of earlier acknowledgements that are not sent, because the pending acknowledgement replaced them. */
    private int replaced;

    /** The PSN of the first request sent after the pending acknowledgement. */
    private int psn;

    /**
     * Whether the coalescer has already chosen between holding and not holding the pending acknowledgement. The
     * coalescer decides at the first request after the acknowledgement; later requests do not change the decision.
     */
    private boolean decided;

    /** Whether the peer has acknowledged the request with PSN {@link #psn}. */
    private boolean acknowledged;

    /**
     * The interval between held acknowledgements. With the value 1, the coalescer holds each acknowledgement that it
     * could hold; with the value 2, it holds every second one of them.
     */
    private int every = 1;

    /** Counts acknowledgements that could be held but were not held. A held acknowledgement resets the count to 0. */
    private int passed;

    /** Records a further pending acknowledgement. */
    void added() {
        switch (state) {
            case NONE -> begin(State.FRESH);
            case FRESH -> {
                // `polls` is not reset, because a reset would delay the acknowledgements that are already pending.
            }
            // Several acknowledgements are now pending, and one call can send all of them. Holding them longer would
            // save little.
            case HELD -> {
                state = State.FRESH;
                decided = true;
            }
        }
    }

    /** Returns whether a later acknowledgement may replace the pending one. */
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
     * Records that the application has sent a request to a peer. Call only if exactly one acknowledgement is pending
     * and has the same destination as the request.
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
     * Records the end of a poll. Returns whether to send the pending acknowledgements now. The parameter {@code any} is true if
     * the poll found a datagram.
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
