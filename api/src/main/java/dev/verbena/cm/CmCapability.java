// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * A feature that a connection manager may lack. A program checks {@link ConnectionManager#capabilities()} before it depends on a
 * feature.
 *
 * @since 1.0
 */
public enum CmCapability {
    /** {@link ConnectionId#reject}. */
    REJECT,
    /** Private data in {@link ConnectionId#accept}. Private data in {@link ConnectionId#connect} needs no capability. */
    ACCEPT_PRIVATE_DATA,
    /** Connections in {@link PortSpace#IB}, which documents the queue pair types. */
    IB_PORT_SPACE,
    /** Datagrams: {@link PortSpace#UDP}. */
    DATAGRAM,
    /** {@link ConnectionId#joinMulticast} and {@link ConnectionId#leaveMulticast}. */
    MULTICAST,
    /** Addresses of IP version 6. */
    IPV6,
    /**
     * Connecting a queue pair that the program created without the connection id. To connect the queue pair, the program handles
     * {@link CmEventType#CONNECT_RESPONSE}, and calls {@link ConnectionId#initQpAttributes} and {@link ConnectionId#establish()}.
     */
    EXTERNAL_QP,
    /** {@link ConnectionId#migrate}. */
    MIGRATE,
    /** {@link CmEventType#DEVICE_REMOVAL} reports the removal of a device that connection ids use. */
    DEVICE_REMOVAL,
    /** {@link CmEventType#ADDR_CHANGE} reports the change of an address that connection ids use. */
    ADDRESS_CHANGE,
    /**
     * The options of a connection id: the type of service, the reuse of addresses, the restriction to IPv6, and the ACK
     * timeout.
     */
    OPTIONS
}
