// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * An operation that a device can support for on-demand memory ({@link AccessFlag#ON_DEMAND}, {@code enum
 * ibv_odp_transport_cap_bits}).
 *
 * @since 1.0
 */
public enum OdpOperation {
    /** SENDs from on-demand memory. */
    SEND(1),
    /** Receive requests of a queue pair, with buffers in on-demand memory. */
    RECV(2),
    /** RDMA WRITEs from and to on-demand memory. */
    WRITE(4),
    /** RDMA READs from and to on-demand memory. */
    READ(8),
    /** Compare-and-swap and fetch-and-add on on-demand memory. */
    ATOMIC(0x10),
    /** Receive requests of a shared receive queue, with buffers in on-demand memory. */
    SRQ_RECV(0x20),
    /** FLUSHes of on-demand memory (rdma-core 58). */
    FLUSH(0x40),
    /** ATOMIC_WRITEs to on-demand memory (rdma-core 58). */
    ATOMIC_WRITE(0x80);

    private final int mask;

    OdpOperation(int mask) {
        this.mask = mask;
    }

    /** {@return the bit of this operation in {@code enum ibv_odp_transport_cap_bits}} */
    public int mask() {
        return mask;
    }
}
