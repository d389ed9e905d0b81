// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * The name space of an rdma_cm port number ({@code enum rdma_port_space}). The port space also determines the transport
 * service: RC, UC or UD.
 *
 * @since 1.0
 */
public enum PortSpace {
    /** Connections over RC queue pairs. */
    TCP(0x0106, false),
    /** Datagrams over UD queue pairs. */
    UDP(0x0111, true),
    /**
     * Connections over RC or UC queue pairs; librdmacm requests only RC. An InfiniBand service ID identifies the service.
     */
    IB(0x013F, false),
    /** IP over InfiniBand. */
    IPOIB(0x0002, true);

    /**
     * The private data sizes of REQ, REP, REJ, SIDR_REQ and SIDR_REP in bytes, from the InfiniBand Architecture Specification
     * volume 1, 12.6 and 12.11.
     */
    private static final int REQ = 92;

    private static final int REP = 196;
    private static final int REJ = 148;
    private static final int SIDR_REQ = 216;
    private static final int SIDR_REP = 136;

    /** The size of rdma_cm's header at the start of a request's private data, in bytes ({@code struct cma_hdr}). */
    private static final int RDMA_CM_HEADER = 36;

    private final int code;
    private final boolean datagrams;

    PortSpace(int code, boolean datagrams) {
        this.code = code;
        this.datagrams = datagrams;
    }

    /**
     * {@return the maximum private data of {@link ConnectionId#connect}: 180 bytes for UDP and IPOIB (SIDR_REQ), or 56
     * bytes for TCP and IB (REQ). In SIDR_REQ and REQ, rdma_cm's header of 36 bytes precedes this private data}
     */
    public int maxRequestPrivateData() {
        return (datagrams ? SIDR_REQ : REQ) - RDMA_CM_HEADER;
    }

    /**
     * {@return the maximum private data of {@link ConnectionId#accept}: 196 bytes in a REP, or 136 in the SIDR_REP of UDP and
     * IPOIB}
     */
    public int maxReplyPrivateData() {
        return datagrams ? SIDR_REP : REP;
    }

    /**
     * {@return the maximum private data of {@link ConnectionId#reject}: 148 bytes in a REJ, or 136 in the SIDR_REP of UDP and
     * IPOIB}
     */
    public int maxRejectPrivateData() {
        return datagrams ? SIDR_REP : REJ;
    }

    /** {@return the 16-bit value of the port space in {@code rdma/rdma_cma.h}; the service ID contains this value} */
    public int code() {
        return code;
    }

    /**
     * Returns the InfiniBand service ID of a port number in this port space.
     *
     * @param port 0 to 65535
     * @return the 64-bit service ID
     */
    public long serviceId(int port) {
        return ((long) code << 16) | (port & 0xFFFF);
    }
}
