package dev.verbena.sim.model;

import dev.verbena.verbs.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A key and when it was good for something, as far as the program can know: an operation that makes or ends a key takes effect
 * some time between its post and its completion. Times are steps of the run.
 */
final class Grant {
    /** Later than any step. */
    static final long NEVER = Long.MAX_VALUE;

    /** What the key belongs to. */
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

    /** A key that is made by a request posted now, or by a verb that is done now. */
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

    /** Where in the memory of its device it begins. */
    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    Set<AccessFlag> rights() {
        return rights;
    }

    /** The request that makes it has completed. */
    void start(long step) {
        started = Math.min(started, step);
    }

    boolean hasStarted() {
        return started != NEVER;
    }

    /** A request was posted that ends it. */
    void ends(Object cause, long step) {
        endings.add(new Ending(cause, step));
    }

    /** That request has completed. */
    void ended(Object cause, long step) {
        for (Ending ending : endings) {
            if (ending.cause.equals(cause)) {
                ending.done = Math.min(ending.done, step);
            }
        }
    }

    /** Whether something other than the given cause may have ended it by then. */
    boolean mayBeOver(long step, Object except) {
        return endings.stream().anyMatch(ending -> !ending.cause.equals(except) && ending.posted <= step);
    }

    /** Whether a request of the same queue that comes before the given one ends it. */
    boolean endsBehind(Request request) {
        return endings.stream()
                .anyMatch(ending ->
                        ending.cause instanceof Request other && other.opcode.isLocal() && other.index < request.index);
    }

    boolean isOver(long step) {
        return endings.stream().anyMatch(ending -> ending.done <= step);
    }

    /** Whether it was good at some moment of a time. */
    boolean maybeGood(long from, long to) {
        return kind != Kind.NONE && posted <= to && endings.stream().allMatch(ending -> from <= ending.done);
    }

    /** Whether it was good all the time, but for what the given cause does. */
    boolean surelyGood(long from, long to, Object except) {
        return kind != Kind.NONE && started <= from && !mayBeOver(to, except);
    }

    @Override
    public String toString() {
        return kind + " 0x" + Integer.toHexString(key) + " [" + offset + ", +" + length + ") " + rights;
    }
}
