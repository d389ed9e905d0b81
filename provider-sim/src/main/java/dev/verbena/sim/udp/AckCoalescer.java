// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.wire.Psn;

/**
 * Decides when an acknowledgement is sent while a thread polls. The acknowledgement first waits for the application's
 * reaction to the packets just received. If the reaction is a request to the same peer, the request keeps the peer
 * busy. One packet may then acknowledge what the peer sends next as well. So the acknowledgement is held for up to
 * {@link #MAX_POLLS} further polls, so that a later one can replace it.
 *
 * <p>Delaying the acknowledgement slows a peer that waits for it before sending more. Such a peer shows itself by an
 * acknowledgement of its own, after which this one is sent at once, or by sending nothing. If nothing replaced a held
 * acknowledgement, holding had no effect, and from then on half as many are held. Each replacement doubles the share
 * that is held.
 *
 * <p>Only polls of an application's thread count. After the last of them, the port's receive thread sends the held
 * acknowledgements at its next poll (see {@link SocketPoller}).
 *
 * <p>This class knows no packets; its caller reports each event. Not thread-safe.
 */
final class AckCoalescer {
    /**
     * The number of polls that an acknowledgement waits after a request: several times the polls that a nearby peer
     * needs to answer it.
     */
    static final int MAX_POLLS = 32;

    /** The number of acknowledgements that may replace each other in a row. */
    static final int MAX_REPLACED = 16;

    /** At least one of this number of candidates is held. */
    static final int MAX_PASSED = 1024;

    /**
     * A response acknowledges the request if its PSN is less than this distance after the request's. A PSN farther away
     * belongs to another queue pair.
     */
    private static final int NEAR = 1 << 10;

    private enum State {
        /** No acknowledgement is pending. */
        NONE,
        /** An acknowledgement is pending, and the application may still react to the packets that it acknowledges. */
        FRESH,
        /** An acknowledgement is pending, and the application has sent a request to the same peer since. */
        HELD
    }

    private State state = State.NONE;

    /** The number of polls that have ended since the current state began. */
    private int polls;

    /** The number of acknowledgements that the pending one replaced. */
    private int replaced;

    /** The PSN of the first request sent after the pending acknowledgement. */
    private int psn;

    /** Whether holding the pending acknowledgement has been decided. Only the first request after it decides. */
    private boolean decided;

    /** Whether the peer has acknowledged that request. */
    private boolean acknowledged;

    /** One of this number of candidates is held. */
    private int every = 1;

    /** The number of candidates that were not held since the last held one. */
    private int passed;

    /** Records a further pending acknowledgement. */
    void added() {
        switch (state) {
            case NONE -> begin(State.FRESH);
            case FRESH -> {
                // The earlier acknowledgements do not wait longer because of this one.
            }
            // Several acknowledgements in one call cost little, so these are sent without further delay.
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

    /** Records that the application sends a request to the peer that the only pending acknowledgement is for. */
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
     * Records the end of a poll.
     *
     * @param any whether the poll found a datagram
     * @return whether to send the pending acknowledgements now
     */
    boolean endPoll(boolean any) {
        polls++;
        return switch (state) {
            case NONE -> true;
            case FRESH -> !any || polls > 1 || replaced >= MAX_REPLACED;
            case HELD -> acknowledged || polls >= MAX_POLLS;
        };
    }

    /** Records that the pending acknowledgements have been sent, for any reason. */
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
