package dev.verbena.sim.memory;

/**
 * The halves of a queue pair, as those who use memory. Each has a gate of its own in every region and window: what is sent from a
 * region and what arrives in it is often the work of two threads, which need not take the gate's cache line from each other.
 */
public enum Half {
    /** Requests go out and are completed. */
    SENDING,
    /** Requests of the peer arrive and are answered. */
    RECEIVING
}
