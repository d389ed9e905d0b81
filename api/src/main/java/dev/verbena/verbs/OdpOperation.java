// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * An operation (SEND, RDMA READ ...) that a device can support for on-demand-paging (ODP) regions ({@link
 * AccessFlag#ON_DEMAND}, {@code enum ibv_odp_transport_cap_bits}).
 *
 * @since 1.0
 */
public enum OdpOperation {
    /** SENDs from an ODP region. */
    SEND(1),
    /** Receive requests of a queue pair, with buffers in an ODP region. */
    RECV(2),
    /** RDMA WRITEs from and to an ODP region. */
    WRITE(4),
    /** RDMA READs from and to an ODP region. */
    READ(8),
    /** Compare-and-swap and fetch-and-add on an ODP region. */
    ATOMIC(0x10),
    /** Receive requests of a shared receive queue, with buffers in an ODP region. */
    SRQ_RECV(0x20),
    /** FLUSHes of an ODP region (rdma-core 58). */
    FLUSH(0x40),
    /** ATOMIC_WRITEs to an ODP region (rdma-core 58). */
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
