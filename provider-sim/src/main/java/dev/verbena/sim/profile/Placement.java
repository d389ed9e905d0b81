// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/** The time when the bytes of a received message become visible in the responder's memory. */
public enum Placement {
    /** Each packet's bytes become visible when the responder processes the packet, as with Soft-RoCE and most adapters. */
    IMMEDIATE,
    /**
     * The device writes most received bytes to memory with a delay and out of order, as the specification permits (IBTA
     * volume 1, 9.5 and 10.8). The device may delay the bytes of an RDMA WRITE until an event that guarantees their
     * visibility. An event that guarantees visibility is a receive completion of the same queue pair, the response to a
     * later READ, atomic operation or FLUSH, or the destruction of the queue pair. The device writes the delayed bytes of
     * RDMA WRITEs in a random order, which depends on the seed of the {@code SimRuntime}. With {@code ADVERSARIAL}, an
     * application that polls memory for the last byte of an RDMA WRITE fails, although it works on most adapters.
     */
    ADVERSARIAL
}
