// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * A feature that a connection manager may lack. A caller checks {@link ConnectionManager#capabilities()} before it
 * depends on one.
 *
 * @since 1.0
 */
public enum CmCapability {
    /** {@link ConnectionId#reject}. */
    REJECT,
    /** Private data in {@link ConnectionId#accept}. {@link ConnectionId#connect} always carries private data. */
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
    /** {@link CmEventType#DEVICE_REMOVAL}: devices that can be removed while they are in use. */
    DEVICE_REMOVAL,
    /** {@link CmEventType#ADDR_CHANGE}: addresses that can change while they are in use. */
    ADDRESS_CHANGE,
    /** The options: type of service, address reuse, IPv6 only, ACK timeout. */
    OPTIONS
}
