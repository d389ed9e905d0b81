// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * The name space of a port number, and with it the kind of service ({@code enum rdma_port_space}).
 *
 * @since 1.0
 */
public enum PortSpace {
    /** Connections over RC queue pairs. */
    TCP(0x0106, false),
    /** Datagrams over UD queue pairs. */
    UDP(0x0111, true),
    /** Any service, addressed by InfiniBand service id. */
    IB(0x013F, false),
    /** IP over InfiniBand. */
    IPOIB(0x0002, true);

    /** Private data of REQ, REP, REJ, SIDR_REQ and SIDR_REP: InfiniBand Architecture Specification volume 1, 12.6 and 12.11. */
    private static final int REQ = 92;

    private static final int REP = 196;
    private static final int REJ = 148;
    private static final int SIDR_REQ = 216;
    private static final int SIDR_REP = 136;

    /** The header of rdma_cm at the beginning of a request's private data: {@code struct cma_hdr}. */
    private static final int RDMA_CM_HEADER = 36;

    private final int code;
    private final boolean datagrams;

    PortSpace(int code, boolean datagrams) {
        this.code = code;
        this.datagrams = datagrams;
    }

    /**
     * Returns how much private data {@link ConnectionId#connect} can send. The header of rdma_cm takes 36 bytes of the message.
     *
     * @return 56 bytes in a REQ; 180 in the SIDR_REQ of UDP and IPOIB
     */
    public int maxRequestPrivateData() {
        return (datagrams ? SIDR_REQ : REQ) - RDMA_CM_HEADER;
    }

    /**
     * Returns how much private data {@link ConnectionId#accept} can send.
     *
     * @return 196 bytes in a REP; 136 in the SIDR_REP of UDP and IPOIB
     */
    public int maxReplyPrivateData() {
        return datagrams ? SIDR_REP : REP;
    }

    /**
     * Returns how much private data {@link ConnectionId#reject} can send.
     *
     * @return 148 bytes in a REJ; 136 in the SIDR_REP of UDP and IPOIB
     */
    public int maxRejectPrivateData() {
        return datagrams ? SIDR_REP : REJ;
    }

    /**
     * Returns the number in {@code rdma/rdma_cma.h}, which is also the upper part of the service id.
     *
     * @return 16 bits
     */
    public int code() {
        return code;
    }

    /**
     * Returns the InfiniBand service id of a port in this space.
     *
     * @param port 0 to 65535
     * @return the 64-bit service id
     */
    public long serviceId(int port) {
        return ((long) code << 16) | (port & 0xFFFF);
    }
}
