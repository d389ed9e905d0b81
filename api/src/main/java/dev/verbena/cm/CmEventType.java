// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

/**
 * The type of an id's event ({@code enum rdma_cm_event_type}), in the order of the C header.
 *
 * @since 1.0
 */
public enum CmEventType {
    /** A device leads to the destination; the id is bound to it. */
    ADDR_RESOLVED,
    /** No device leads to the destination; status is the reason. */
    ADDR_ERROR,
    /** The path is known; the id may connect. */
    ROUTE_RESOLVED,
    /** The path could not be found; status is the reason. */
    ROUTE_ERROR,
    /** A peer requests a connection; the event's id is new and belongs to the receiver of the event. */
    CONNECT_REQUEST,
    /** The peer accepted an id that has no queue pair of its own; call {@link ConnectionId#establish()}. */
    CONNECT_RESPONSE,
    /** The connection could not be made for a reason on this side. */
    CONNECT_ERROR,
    /** The peer did not answer, or cannot be reached. */
    UNREACHABLE,
    /** The peer rejected the connection; status is the {@link RejectReason}, the private data is the peer's. */
    REJECTED,
    /** The connection is established; on the active side the private data is the peer's. */
    ESTABLISHED,
    /** The connection has ended. */
    DISCONNECTED,
    /** The device is being removed; destroy the id. */
    DEVICE_REMOVAL,
    /** The group was joined; the event has the parameters for sending to it. */
    MULTICAST_JOIN,
    /** The group could not be joined, or was lost. */
    MULTICAST_ERROR,
    /** The network address of the id changed. */
    ADDR_CHANGE,
    /** The queue pair's number may be used again. */
    TIMEWAIT_EXIT,
    /** {@code rdma_resolve_addrinfo} found the addresses; no call of this library starts it. */
    ADDRINFO_RESOLVED,
    /** {@code rdma_resolve_addrinfo} failed. */
    ADDRINFO_ERROR,
    /** An event that the program itself queued by {@code rdma_write_cm_event}. */
    USER,
    /** An event of the library's own. */
    INTERNAL,
    /** An event that this release does not know; {@link CmEvent#typeCode()} has the number. */
    UNKNOWN;

    private static final CmEventType[] BY_CODE = values();

    /**
     * Returns the number in {@code rdma/rdma_cma.h}.
     *
     * @return 0 to 19, -1 for {@link #UNKNOWN}
     */
    public int code() {
        return this == UNKNOWN ? -1 : ordinal();
    }

    /**
     * Decodes the number of {@code rdma/rdma_cma.h}.
     *
     * @param code any number
     * @return its constant, {@link #UNKNOWN} if this release has none
     */
    public static CmEventType of(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? BY_CODE[code] : UNKNOWN;
    }
}
