// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

/** Processes the request packets of the peer. The receive task calls {@link #step} repeatedly ({@code rxe_receiver}). */
interface Receiver {
    /** Handles a packet or sends a READ response. Returns whether further packets or READ responses may be pending. */
    boolean step();

    /** Ends the responder's accesses to memory regions, because deregistration waits for the end of each access. */
    void endPass();

    /**
     * Returns true if the next {@link #step} consumes the oldest request packet, false if the step continues a READ
     * response. Do not call this method during a call of {@link #step}.
     */
    boolean takesAtOnce();

    /** Resets the responder, which then expects a packet with the given PSN. */
    void start(int psn);

    int psn();
}
