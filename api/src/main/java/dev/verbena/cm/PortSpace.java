package dev.verbena.cm;

/** The name space of a port number, and with it the kind of service ({@code enum rdma_port_space}). */
public enum PortSpace {
    /** Connections over RC queue pairs. */
    TCP(0x0106),
    /** Datagrams over UD queue pairs. */
    UDP(0x0111),
    /** Any service, addressed by InfiniBand service id. */
    IB(0x013F),
    /** IP over InfiniBand. */
    IPOIB(0x0002);

    private final int code;

    PortSpace(int code) {
        this.code = code;
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
