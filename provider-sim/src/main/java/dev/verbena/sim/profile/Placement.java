// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/** The time when the bytes of a message become visible in the receiver's memory. */
public enum Placement {
    /** When each packet is executed, as with Soft-RoCE and most adapters. */
    IMMEDIATE,
    /**
     * As late and as much out of order as the specification permits (IBTA volume 1, 9.5 and 10.8). The bytes of an RDMA
     * WRITE are withheld until an event lets the program know of them. Such events are a receive completion of the same
     * queue pair, the answer to a later READ, atomic operation or FLUSH, and the end of the queue pair. Then the bytes
     * are written in a random order, drawn from the runtime's seed. This exposes a program that polls memory for the
     * last byte of a WRITE, which works on most adapters.
     */
    ADVERSARIAL
}
