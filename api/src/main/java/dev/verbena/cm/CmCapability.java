package dev.verbena.cm;

/**
 * What a connection manager may lack. Callers ask {@link ConnectionManager#capabilities()} before they depend on it.
 *
 * @since 1.0
 */
public enum CmCapability {
    /** {@link ConnectionId#reject}. */
    REJECT,
    /** Private data in {@link ConnectionId#accept}; in connect it is always there. */
    ACCEPT_PRIVATE_DATA,
    /** Connections by service ID, reliable or not: {@link PortSpace#IB}. */
    IB_PORT_SPACE,
    /** Datagrams: {@link PortSpace#UDP}. */
    DATAGRAM,
    /** {@link ConnectionId#joinMulticast} and {@link ConnectionId#leaveMulticast}. */
    MULTICAST,
    /** Addresses of IP version 6. */
    IPV6,
    /**
     * Ids without a queue pair of their own: CONNECT_RESPONSE, {@link ConnectionId#initQpAttributes} and {@link
     * ConnectionId#establish()}.
     */
    EXTERNAL_QP,
    /** {@link ConnectionId#migrate}. */
    MIGRATE,
    /** {@link CmEventType#DEVICE_REMOVAL}: devices that can go while they are in use. */
    DEVICE_REMOVAL,
    /** {@link CmEventType#ADDR_CHANGE}: addresses that can change while they are in use. */
    ADDRESS_CHANGE,
    /** The options: type of service, address reuse, IPv6 only, ACK timeout. */
    OPTIONS
}
