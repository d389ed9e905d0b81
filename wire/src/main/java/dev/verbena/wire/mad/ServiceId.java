// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The service IDs of rdma_cm. The lowest 16 bits of a service ID contain the rdma_cm port, and the higher bits contain the
 * port space (InfiniBand Architecture Specification, volume 1, Annex A11; {@code rdma_get_service_id} of the Linux kernel).
 */
public final class ServiceId {
    /** The port space of connected queue pairs, {@code RDMA_PS_TCP}. */
    public static final int PORT_SPACE_TCP = 0x0106;

    /** The port space of UD queue pairs, {@code RDMA_PS_UDP}. */
    public static final int PORT_SPACE_UDP = 0x0111;

    private static final int PORT_BITS = 16;
    private static final int PORT_MASK = 0xffff;

    private ServiceId() {}

    /**
     * {@return the service ID for an rdma_cm port in a port space}
     *
     * @param portSpace the port space: {@link #PORT_SPACE_TCP} or {@link #PORT_SPACE_UDP}
     * @param port the rdma_cm port, 0..65535
     */
    public static long of(int portSpace, int port) {
        return ((long) portSpace << PORT_BITS) | (port & PORT_MASK);
    }

    /**
     * {@return the port space in a service ID: all bits above the rdma_cm port}
     *
     * @param serviceId a service ID of rdma_cm
     */
    public static long portSpace(long serviceId) {
        return serviceId >>> PORT_BITS;
    }

    /**
     * {@return the rdma_cm port in a service ID, 0..65535}
     *
     * @param serviceId a service ID of rdma_cm
     */
    public static int port(long serviceId) {
        return (int) serviceId & PORT_MASK;
    }
}
