// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

/** Executes the peer's requests. The receive task calls {@link #step} repeatedly ({@code rxe_receiver}). */
interface Receiver {
    /** Handles a packet or sends a READ response. Returns whether another call of this method may have work to do. */
    boolean step();

    /** Ends the receiver's accesses to memory regions, because deregistration waits for the end of each access. */
    void endPass();

    /**
     * Returns true if the next {@link #step} consumes the oldest request packet, false if the step continues a READ
     * response. Do not call this method during a call of {@link #step}.
     */
    boolean takesAtOnce();

    /** Resets the receiver, which then expects a packet with the given PSN. */
    void start(int psn);

    int psn();
}
