// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/** The time when the bytes of a message become visible in the receiver's memory. */
public enum Placement {
    /** The bytes of each packet become visible when the responder executes the packet, as with Soft-RoCE and most adapters. */
    IMMEDIATE,
    /**
     * The device makes most received bytes visible late and out of order, as the specification permits (IBTA volume 1, 9.5
     * and 10.8). The device may withhold the bytes of an RDMA WRITE until an event that guarantees their visibility. An
     * event that guarantees visibility is a receive completion of the same queue pair, the response to a later READ, atomic
     * operation or FLUSH, or the destruction of the queue pair. The device writes the withheld bytes of RDMA WRITEs to
     * memory in a random order, drawn from the runtime's seed. With the placement {@code ADVERSARIAL}, a program that polls
     * memory for the last byte of a WRITE fails, although it works on most adapters.
     */
    ADVERSARIAL
}
