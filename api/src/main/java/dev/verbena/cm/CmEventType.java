// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * The type of an event of a connection id ({@code enum rdma_cm_event_type}), in the order of the C header.
 *
 * @since 1.0
 */
public enum CmEventType {
    /** The connection id found a device that reaches the destination, and is now bound to the device. */
    ADDR_RESOLVED,
    /** No device reaches the destination; the status of the event is a negative errno. */
    ADDR_ERROR,
    /** The route to the destination is resolved; the connection id may connect. */
    ROUTE_RESOLVED,
    /** The route to the destination could not be resolved; the status of the event is a negative errno. */
    ROUTE_ERROR,
    /** A peer requests a connection; the connection id of the event is new, and the receiver of the event owns the id. */
    CONNECT_REQUEST,
    /** The peer accepted, and the id has no queue pair; the application must call {@link ConnectionId#establish()}. */
    CONNECT_RESPONSE,
    /** The connection could not be established because of a local error. */
    CONNECT_ERROR,
    /** The peer did not reply, or is unreachable. */
    UNREACHABLE,
    /** The peer rejected the connection. The event has the peer's {@link RejectReason} and private data. */
    REJECTED,
    /** The connection is established; on the active side the event has the peer's private data. */
    ESTABLISHED,
    /** The connection was disconnected. */
    DISCONNECTED,
    /** The device is being removed; the application must destroy the connection id. */
    DEVICE_REMOVAL,
    /** The connection id joined the multicast group; the event has the destination for datagrams to the group. */
    MULTICAST_JOIN,
    /** The connection id could not join the multicast group, or the group was lost. */
    MULTICAST_ERROR,
    /** The network address of the connection id changed. */
    ADDR_CHANGE,
    /** The timewait period has ended, so the queue pair number may be used again. */
    TIMEWAIT_EXIT,
    /** A call of {@code rdma_resolve_addrinfo} found the addresses. Verbena never calls {@code rdma_resolve_addrinfo}. */
    ADDRINFO_RESOLVED,
    /** A call of {@code rdma_resolve_addrinfo} failed. Verbena never calls {@code rdma_resolve_addrinfo}. */
    ADDRINFO_ERROR,
    /** An event that the application queued by {@code rdma_write_cm_event}. */
    USER,
    /** An internal event of librdmacm. */
    INTERNAL,
    /** An event type that Verbena does not know; {@link CmEvent#typeCode()} returns its C value. */
    UNKNOWN;

    private static final CmEventType[] BY_CODE = values();

    /** {@return the value of the C constant in {@code rdma/rdma_cma.h}, 0 to 19, or -1 for {@link #UNKNOWN}} */
    public int code() {
        return this == UNKNOWN ? -1 : ordinal();
    }

    /**
     * Decodes a value of {@code enum rdma_cm_event_type}.
     *
     * @param code any value
     * @return the event type, {@link #UNKNOWN} if Verbena does not know the value
     */
    public static CmEventType of(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? BY_CODE[code] : UNKNOWN;
    }
}
