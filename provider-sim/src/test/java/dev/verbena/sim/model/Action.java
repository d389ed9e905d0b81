// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.verbs.SendOpcode;
import java.util.List;

/**
 * One step of a program. Objects are named by small numbers, taken modulo the number of objects, so that a program is
 * still valid after any part of it was removed.
 */
sealed interface Action {
    /** Returns variants of this action, each simpler in one respect. */
    default List<Action> plainer() {
        return List.of();
    }

    /** The key of the peer that a request uses. */
    enum Aim {
        /** The region that exists throughout the program. */
        REGION,
        /** A region with the right to read only. */
        SOURCE,
        /** The words that requests of several queue pairs increment. */
        COUNTER,
        /** The newest binding of the window of type 1. */
        WINDOW_1,
        /** The newest binding of the window of type 2. */
        WINDOW_2,
        /** The newest fast registration. */
        FAST,
        /** The newest region that the program registered and may deregister. */
        EXTRA,
        /** A window of type 2 that belongs to another queue pair of the peer's device. */
        FOREIGN,
        /** An older key. */
        STALE,
        /** A key that never existed. */
        NONE
    }

    /** The defect of a request. */
    enum Blemish {
        NONE,
        /** The request exceeds the range of the key. */
        BEYOND,
        /** The local region is closed directly before or after the post. */
        CLOSED_REGION,
        /** The request lets the device write to a region that it may only read. */
        READ_ONLY_REGION,
        /** An operand of the request is wrong: alignment, length or Q_Key, depending on the operation. */
        WRONG
    }

    /** The operations on keys. */
    enum Verb {
        BIND_1,
        BIND_2,
        REGISTER_FAST,
        INVALIDATE,
        REGISTER,
        DEREGISTER
    }

    /** The state changes of a queue pair. */
    enum Change {
        /** Both sides move to ERR, then to RESET, and are connected again. */
        RECONNECT,
        /** Moves to ERR. */
        FAIL,
        /** Moves to SQD. */
        DRAIN,
        /** Returns to RTS. */
        RESUME
    }

    /**
     * Posts a request to the peer.
     *
     * @param end the queue pair
     * @param opcode the operation; replaced if the queue pair does not support it
     * @param length bytes of the message; atomics have 8
     * @param place permille of the area at which the message begins, in the memory of the peer and of this side
     * @param aim the key
     * @param blemish the defect
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

    /** The length of a receive. */
    enum Room {
        /** Sufficient for any message. */
        AMPLE,
        /** The length of the message that will consume it, if that is known. */
        EXACT,
        /** Less than many messages. */
        SHORT,
        /** In a region that is closed. */
        BROKEN
    }

    /**
     * Posts receives.
     *
     * @param end the queue pair with the messages that will consume them
     * @param count the number of receives
     * @param room their length
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
     * Makes or ends a key to memory of this side.
     *
     * @param end the queue pair with the peer that may use it
     * @param verb the operation
     * @param place permille of the area at which it begins
     * @param share permille of the rest of the area that it covers
     * @param rights bit 0 WRITE, 1 READ, 2 ATOMIC
     * @param bad whether the request has a defect
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
     * @param change the change
     */
    record Modify(int end, Change change) implements Action {}

    /**
     * Lets time pass and polls completions.
     *
     * @param nanos the time
     */
    record Wait(int nanos) implements Action {}
}
