package dev.verbena.sim.model;

import dev.verbena.verbs.SendOpcode;
import java.util.List;

/**
 * One step of a program. Everything is named by small numbers, taken modulo what there is, so that a program from which any
 * part was removed still means something.
 */
sealed interface Action {
    /** The same with one thing less to it, in several ways. */
    default List<Action> plainer() {
        return List.of();
    }

    /** Which key of the peer a request uses. */
    enum Aim {
        /** The region that is always there. */
        REGION,
        /** A region that may only be read. */
        SOURCE,
        /** The words that several queue pairs count in. */
        COUNTER,
        /** The newest binding of the window of type 1. */
        WINDOW_1,
        /** The newest binding of the window of type 2. */
        WINDOW_2,
        /** The newest fast registration. */
        FAST,
        /** The newest region that comes and goes. */
        EXTRA,
        /** A window of type 2 that belongs to another queue pair of the peer's device. */
        FOREIGN,
        /** Some older key. */
        STALE,
        /** A key that never was one. */
        NONE
    }

    /** What is wrong with a request. */
    enum Blemish {
        NONE,
        /** It reaches beyond the end of what the key covers. */
        BEYOND,
        /** Its local region is closed right before the post, or right behind it. */
        CLOSED_REGION,
        /** It lets the device write to a region that it may only read. */
        READ_ONLY_REGION,
        /** It is not aligned, or too long, or has another Q_Key: whatever its operation can have wrong. */
        WRONG
    }

    /** What happens to keys. */
    enum Verb {
        BIND_1,
        BIND_2,
        REGISTER_FAST,
        INVALIDATE,
        REGISTER,
        DEREGISTER
    }

    /** What happens to a queue pair. */
    enum Change {
        /** Both sides go to ERR, then to RESET, and are connected anew. */
        RECONNECT,
        /** Goes to ERR. */
        FAIL,
        /** Goes to SQD. */
        DRAIN,
        /** Goes back to RTS. */
        RESUME
    }

    /**
     * Posts a request that goes to the peer.
     *
     * @param end the queue pair
     * @param opcode what to do; another one where the queue pair has no such
     * @param length bytes of the message; atomics have 8
     * @param place permille of the area at which it begins, there and here
     * @param aim the key
     * @param blemish what is wrong with it
     * @param flags bit 0 signaled, 1 fence, 2 inline, 3 solicited
     * @param cuts permille of the message at which a new entry begins
     */
    record Send(
            int end, SendOpcode opcode, int length, int place, Aim aim, Blemish blemish, int flags, List<Integer> cuts)
            implements Action {
        @Override
        public List<Action> plainer() {
            return List.of(
                    new Send(end, opcode, length, place, aim, Blemish.NONE, flags, cuts),
                    new Send(end, opcode, length, place, Aim.REGION, blemish, flags, cuts),
                    new Send(end, opcode, 1, place, aim, blemish, flags, cuts),
                    new Send(end, opcode, length, 0, aim, blemish, flags, cuts),
                    new Send(end, opcode, length, place, aim, blemish, 1, cuts),
                    new Send(end, opcode, length, place, aim, blemish, flags, List.of()));
        }

        boolean signaled() {
            return (flags & 1) != 0;
        }

        boolean fenced() {
            return (flags & 2) != 0;
        }

        boolean inline() {
            return (flags & 4) != 0;
        }

        boolean solicited() {
            return (flags & 8) != 0;
        }
    }

    /** How long a receive is. */
    enum Room {
        /** Enough for any message. */
        AMPLE,
        /** As long as the message that will meet it, if that is known. */
        EXACT,
        /** Rather short. */
        SHORT,
        /** In a region that is closed. */
        BROKEN
    }

    /**
     * Posts receives.
     *
     * @param end whose messages are to meet them
     * @param count how many
     * @param room how long they are
     * @param cuts permille of the receive at which a new entry begins
     */
    record Receive(int end, int count, Room room, List<Integer> cuts) implements Action {
        @Override
        public List<Action> plainer() {
            return List.of(
                    new Receive(end, 1, room, cuts),
                    new Receive(end, count, Room.AMPLE, cuts),
                    new Receive(end, count, room, List.of()));
        }
    }

    /**
     * Gives or takes a key to memory of this side.
     *
     * @param end the queue pair whose peer may use it
     * @param verb what to do
     * @param place permille of the area at which it begins
     * @param share permille of the rest of the area that it covers
     * @param rights bit 0 WRITE, 1 READ, 2 ATOMIC
     * @param bad whether the request has something wrong
     */
    record Key(int end, Verb verb, int place, int share, int rights, boolean bad) implements Action {
        @Override
        public List<Action> plainer() {
            return List.of(
                    new Key(end, verb, place % 2, share, rights, bad),
                    new Key(end, verb, place, share, 0, bad),
                    new Key(end, verb, place, share, rights, false));
        }
    }

    /**
     * Changes the state of a queue pair.
     *
     * @param end the queue pair
     * @param change what to do
     */
    record Modify(int end, Change change) implements Action {}

    /**
     * Lets time pass and takes completions.
     *
     * @param nanos how much time
     */
    record Wait(int nanos) implements Action {}
}
