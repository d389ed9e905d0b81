package dev.verbena.sim.memory;

/**
 * The halves of a queue pair as users of memory. Each half has an access point of its own to every region and window.
 * Sending from a region and receiving into it is often the work of two threads, which so need not contend for the cache
 * line of the reader count.
 */
public enum Half {
    /** Sends requests and completes them. */
    SENDING,
    /** Receives the peer's requests and answers them. */
    RECEIVING
}
