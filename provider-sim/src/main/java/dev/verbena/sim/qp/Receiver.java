// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

/** Executes the requests of the peer of a queue pair. The receive task steps it ({@code rxe_receiver}). */
interface Receiver {
    /** Does one step; true if there may be more to do now. */
    boolean step();

    /** Ends a pass: closes the grants that stay open between packets. */
    void rest();

    /** Whether the next step handles the oldest packet, even if only to drop it. Call only when no step is running. */
    boolean takesAtOnce();

    /** Resets the receiver. It expects this PSN next. */
    void start(int psn);

    /** The PSN of the next packet expected. */
    int psn();
}
