package dev.verbena.sim.qp;

import java.util.List;

/** The sending half of a queue pair: turns send work requests into packets, and into completions. Stepped by the send task. */
interface SendHalf {
    /** No deadline. */
    long NEVER = Long.MAX_VALUE;

    /** Does one step; true if there may be more to do now. */
    boolean step(long now);

    /** When {@link #step} has something to do even if nothing arrives, or {@link #NEVER}. */
    long nextDeadline();

    /** Whether a step has started a timer that {@link #startTimers} has given no deadline. */
    default boolean hasStartedTimer() {
        return false;
    }

    /** Starts the timers at a time that is not before the step that asked for them. */
    default void startTimers(long now) {}

    /** Starts anew with the PSN of the first packet. */
    void start(int psn);

    /** Tells where it stands, one fact in a line; for reports, and so from any thread. */
    void describe(List<String> facts);

    /** The PSN of the next packet. */
    int psn();
}
