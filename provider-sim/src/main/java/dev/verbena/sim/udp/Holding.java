package dev.verbena.sim.udp;

import dev.verbena.wire.Psn;

/**
 * Decides when an acknowledgement leaves while somebody polls. At first it waits for what the program does about what has come.
 * If that is a request to the same peer, it keeps the peer busy, and what the peer sends then may be acknowledged by the same
 * packet: so it waits for some looks more, for a later one to take its place.
 *
 * <p>A peer that waits for the acknowledgement before it goes on would lose by that. It shows by an acknowledgement of its own,
 * behind which this one leaves at once, or by sending nothing: then holding was of no use, and is tried half as often from now
 * on; each time that it is of use it is tried twice as often again.
 *
 * <p>Looks are what whoever polls makes; when nobody polls any more, the port's own thread lets go what there is, when it looks next
 * (see {@link Watch}).
 *
 * <p>Knows no packet, and is told what happens to them. For one thread at a time.
 */
final class Holding {
    /** How many looks an acknowledgement waits behind a request: some times what a peer nearby needs to answer it. */
    static final int MOST_LOOKS = 32;

    /** How many may take each other's place. */
    static final int MOST_REPLACED = 16;

    /** Of so many that could be held, one is at least. */
    static final int MOST_PASSED = 1024;

    /** How far behind a request a PSN may be that is taken for an acknowledgement of it, and not for one of another queue pair. */
    private static final int NEAR = 1 << 10;

    private enum State {
        /** There is no acknowledgement. */
        NONE,
        /** There is one, and the program may do something about what it is for. */
        FRESH,
        /** There is one, and the program has sent its peer something since. */
        HELD
    }

    private State state = State.NONE;

    /** Looks that have ended since it is in this state. */
    private int looks;

    /** How many the one that there is stands for besides itself. */
    private int replaced;

    /** The first request that was sent behind it. */
    private int psn;

    /** Whether it has been decided if the one that there is, is held; a request that follows another one decides nothing. */
    private boolean decided;

    /** Whether that has been acknowledged. */
    private boolean acknowledged;

    /** One of so many is held. */
    private int every = 1;

    /** How many could have been held, and were not, since one was. */
    private int passed;

    /** There is an acknowledgement, or one more. */
    void added() {
        switch (state) {
            case NONE -> begin(State.FRESH);
            case FRESH -> {
                // It does not make the others wait for longer.
            }
            // What is held with others has nothing to wait for.
            case HELD -> {
                state = State.FRESH;
                decided = true;
            }
        }
    }

    /** Whether a later one may take the place of the one that there is. */
    boolean isHeld() {
        return state == State.HELD;
    }

    /** A later one has taken its place. */
    void replaced() {
        replaced++;
        every = Math.max(1, every / 2);
        begin(State.FRESH);
    }

    /** The program sends the peer a request, to which the one acknowledgement that there is goes. */
    void answered(int requestPsn) {
        if (state != State.FRESH || decided || replaced >= MOST_REPLACED) {
            return;
        }
        decided = true;
        if (++passed >= every) {
            passed = 0;
            psn = requestPsn;
            begin(State.HELD);
        }
    }

    /** A response has come. */
    void acknowledged(int responsePsn) {
        acknowledged |= state == State.HELD && Psn.distance(psn, responsePsn) < NEAR;
    }

    /**
     * A look has ended.
     *
     * @param any whether it found something
     * @return whether what there is leaves now
     */
    boolean endLook(boolean any) {
        looks++;
        return switch (state) {
            case NONE -> true;
            case FRESH -> !any || looks > 1 || replaced >= MOST_REPLACED;
            case HELD -> acknowledged || looks >= MOST_LOOKS;
        };
    }

    /** It has left, whoever wanted it to. */
    void left() {
        if (state == State.HELD) {
            every = Math.min(MOST_PASSED, every * 2);
        }
        replaced = 0;
        begin(State.NONE);
    }

    private void begin(State next) {
        state = next;
        looks = 0;
        acknowledged = false;
        decided = next == State.HELD;
    }
}
