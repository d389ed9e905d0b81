// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.wire.Psn;

/**
 * Decides when an acknowledgement is sent while a thread polls. The acknowledgement first waits for the application's
 * reaction to the packets just received. If the application sends a request to the same peer, the coalescer holds the
 * acknowledgement for up to {@link #MAX_POLLS} further polls. If the peer's next packet arrives during these polls, one
 * later acknowledgement replaces the held acknowledgement.
 *
 * <p>Delaying the acknowledgement slows a peer that waits for it before sending more. If the peer acknowledges the
 * application's request, the coalescer sends the held acknowledgement at once. If no later acknowledgement replaced a
 * held acknowledgement, holding had no effect, and the coalescer holds half as many acknowledgements from then on. If a
 * later acknowledgement replaced a held one, the coalescer holds twice as many from then on.
 *
 * <p>Only polls by an application's thread are counted. When the application stops polling, the port's receive thread sends the
 * held acknowledgements (see {@link SocketPoller}). The caller reports each event. This class is not thread-safe.
 */
final class AckCoalescer {
    /**
     * The number of polls that an acknowledgement waits after a request; a nearby peer answers the request within fewer polls.
     */
    static final int MAX_POLLS = 32;

    /** The maximum number of earlier acknowledgements that one held acknowledgement can replace. */
    static final int MAX_REPLACED = 16;

    /** The greatest value of {@link #every}. */
    static final int MAX_PASSED = 1024;

    /**
     * The maximum PSN distance between a request and a response that acknowledges it. A response with a PSN farther from the
     * PSN of the request belongs to another queue pair.
     */
    private static final int NEAR = 1 << 10;

    private enum State {
        /** No acknowledgement is pending. */
        NONE,
        /** An acknowledgement is pending, and the application may still react to the acknowledged packets. */
        FRESH,
        /** An acknowledgement is pending, and the application has sent a request to the same peer since. */
        HELD
    }

    private State state = State.NONE;

    /** The number of polls that have ended since the coalescer entered its current state. */
    private int polls;

    /** The number of acknowledgements that the pending acknowledgement has replaced. */
    private int replaced;

    /** The PSN of the first request sent after the pending acknowledgement. */
    private int psn;

    /**
     * Whether the coalescer has decided to hold, or not to hold, the pending acknowledgement. Only the first request after the
     * pending acknowledgement decides whether the acknowledgement is held.
     */
    private boolean decided;

    /** Whether the peer has acknowledged the request with PSN {@link #psn}. */
    private boolean acknowledged;

    /**
     * The interval between held acknowledgements: with the value 1, each acknowledgement that could be held is held,
     * with 2 every second one.
     */
    private int every = 1;

    /** The number of acknowledgements that could be held, but were not, since an acknowledgement was last held. */
    private int passed;

    /** Records a further pending acknowledgement. */
    void added() {
        switch (state) {
            case NONE -> begin(State.FRESH);
            case FRESH -> {
                // A further acknowledgement does not delay the earlier pending acknowledgements.
            }
            // Sending several acknowledgements in one call costs little, so they are not delayed further.
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
