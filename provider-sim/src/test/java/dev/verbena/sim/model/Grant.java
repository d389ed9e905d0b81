// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.verbs.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A key with the time in which it was valid, as far as the program can know. An operation that makes or ends a key
 * takes effect at some time between its post and its completion. Times are steps of the run.
 */
final class Grant {
    /** Later than any step. */
    static final long NEVER = Long.MAX_VALUE;

    /** The kind of the key's object. */
    enum Kind {
        REGION,
        SOURCE,
        COUNTER,
        WINDOW_1,
        WINDOW_2,
        FAST,
        EXTRA,
        NONE
    }

    private static final class Ending {
        private final Object cause;
        private final long posted;
        private long done = NEVER;

        Ending(Object cause, long posted) {
            this.cause = cause;
            this.posted = posted;
        }
    }

    private final Kind kind;
    private final int key;
    private final int offset;
    private final int length;
    private final Set<AccessFlag> rights;
    private final long posted;
    private long started;
    private final List<Ending> endings = new ArrayList<>();

    /** Makes a key of a request posted now, or of a call that has returned. */
    Grant(Kind kind, int key, int offset, int length, Set<AccessFlag> rights, long posted, boolean done) {
        this.kind = kind;
        this.key = key;
        this.offset = offset;
        this.length = length;
        this.rights = rights;
        this.posted = posted;
        started = done ? posted : NEVER;
    }

    Kind kind() {
        return kind;
    }

    int key() {
        return key;
    }

    /** Returns the offset in the memory of its device. */
    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    Set<AccessFlag> rights() {
        return rights;
    }

    /** Records that the request that makes the key has completed. */
    void start(long step) {
        started = Math.min(started, step);
    }

    boolean hasStarted() {
        return started != NEVER;
    }

    /** Records that a request was posted that ends the key. */
    void ends(Object cause, long step) {
        endings.add(new Ending(cause, step));
    }

    /** Records that this request has completed. */
    void ended(Object cause, long step) {
        for (Ending ending : endings) {
            if (ending.cause.equals(cause)) {
                ending.done = Math.min(ending.done, step);
            }
        }
    }

    /** Returns whether another cause than the given one may have ended the key by then. */
    boolean mayBeOver(long step, Object except) {
        return endings.stream().anyMatch(ending -> !ending.cause.equals(except) && ending.posted <= step);
    }

    /** Returns whether an earlier request of the same queue ends the key. */
    boolean endsBehind(Request request) {
        return endings.stream()
                .anyMatch(ending ->
                        ending.cause instanceof Request other && other.opcode.isLocal() && other.index < request.index);
    }

    boolean isOver(long step) {
        return endings.stream().anyMatch(ending -> ending.done <= step);
    }

    /** Returns whether the key may have been valid at some moment of a period. */
    boolean maybeGood(long from, long to) {
        return kind != Kind.NONE && posted <= to && endings.stream().allMatch(ending -> from <= ending.done);
    }

    /** Returns whether the key was certainly valid during a whole period, except for the effect of the given cause. */
    boolean surelyGood(long from, long to, Object except) {
        return kind != Kind.NONE && started <= from && !mayBeOver(to, except);
    }

    @Override
    public String toString() {
        return kind + " 0x" + Integer.toHexString(key) + " [" + offset + ", +" + length + ") " + rights;
    }
}
