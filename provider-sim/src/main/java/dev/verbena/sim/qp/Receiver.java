// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

/** Executes the requests of the peer of a queue pair. The receive task steps the receiver ({@code rxe_receiver}). */
interface Receiver {
    /** Executes one step. Returns whether another step may have work to do. */
    boolean step();

    /** Ends a pass: closes the memory grants that stay open between packets. */
    void endPass();

    /**
     * Returns whether the next step handles the oldest packet, even if only to drop it. Call only while no step of the receiver
     * is running.
     */
    boolean takesAtOnce();

    /** Resets the receiver, which then expects a packet with the given PSN. */
    void start(int psn);

    int psn();
}
