package dev.verbena.sim.qp;

/** The sending half of a queue pair: turns send work requests into packets, and into completions. Stepped by the send task. */
interface SendHalf {
    /** No deadline. */
    long NEVER = Long.MAX_VALUE;

    /** Does one step; true if there may be more to do now. */
    boolean step(long now);

    /** When {@link #step} has something to do even if nothing arrives, or {@link #NEVER}. */
    long nextDeadline();

    /** Starts anew with the PSN of the first packet. */
    void start(int psn);

    /** The PSN of the next packet. */
    int psn();
}
