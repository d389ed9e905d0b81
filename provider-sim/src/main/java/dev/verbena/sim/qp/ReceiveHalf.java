package dev.verbena.sim.qp;

/** The receiving half of a queue pair: carries out what the peer sends. Stepped by the receive task. */
interface ReceiveHalf {
    /** Does one step; true if there may be more to do now. */
    boolean step();

    /** Ends a run of steps: nothing is kept for the next one. */
    void rest();

    /** Whether the next step handles the oldest packet, whatever it does with it; to be asked when no step is under way. */
    boolean takesAtOnce();

    /** Starts anew with the PSN of the first packet to expect. */
    void start(int psn);

    /** The PSN of the next packet expected. */
    int psn();
}
