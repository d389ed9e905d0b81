// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/** The time when the bytes of a message become visible in the receiver's memory. */
public enum Placement {
    /** The bytes become visible when each packet is executed, as with Soft-RoCE and most adapters. */
    IMMEDIATE,
    /**
     * The bytes become visible as late and as much out of order as the specification permits (IBTA volume 1, 9.5 and 10.8).
     * The bytes of an RDMA WRITE are withheld until the program can learn of them: by a receive completion of the same queue
     * pair, by the response to a later READ, atomic operation or FLUSH, or by the end of the queue pair. Then the device
     * writes them in a random order, drawn from the runtime's seed. This placement exposes programs that poll memory for the
     * last byte of a WRITE, which works on most adapters.
     */
    ADVERSARIAL
}
