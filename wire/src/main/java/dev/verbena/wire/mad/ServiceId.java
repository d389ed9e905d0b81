// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The service IDs of rdma_cm: the port space in bits 16 and up, the port in the lowest 16 bits (InfiniBand Architecture
 * Specification, volume 1, Annex A11; {@code rdma_get_service_id} of the Linux kernel).
 */
public final class ServiceId {
    /** The port space of connections, {@code RDMA_PS_TCP}. */
    public static final int PORT_SPACE_TCP = 0x0106;

    /** The port space of datagrams, {@code RDMA_PS_UDP}. */
    public static final int PORT_SPACE_UDP = 0x0111;

    private static final int PORT_BITS = 16;
    private static final int PORT_MASK = 0xffff;

    private ServiceId() {}

    /**
     * Puts a service ID together.
     *
     * @param portSpace the port space, {@link #PORT_SPACE_TCP} or {@link #PORT_SPACE_UDP}
     * @param port the port, 0..65535
     * @return the service ID
     */
    public static long of(int portSpace, int port) {
        return ((long) portSpace << PORT_BITS) | (port & PORT_MASK);
    }

    /**
     * Takes the port space out of a service ID.
     *
     * @param serviceId the service ID
     * @return all bits above the port, which is the port space in IDs of rdma_cm
     */
    public static long portSpace(long serviceId) {
        return serviceId >>> PORT_BITS;
    }

    /**
     * Takes the port out of a service ID.
     *
     * @param serviceId the service ID
     * @return the port, 0..65535
     */
    public static int port(long serviceId) {
        return (int) serviceId & PORT_MASK;
    }
}
