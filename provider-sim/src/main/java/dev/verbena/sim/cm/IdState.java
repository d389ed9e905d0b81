package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;

/** What has become of an id: the states of Linux's rdma_cm, of which the user sees the names in error messages. */
enum IdState {
    /** New. */
    IDLE,
    /** Has an address and a port. */
    ADDR_BOUND,
    /** Waits for requests. */
    LISTEN,
    /** Looks for the device that leads to the peer. */
    ADDR_QUERY,
    /** Knows the device that leads to the peer. */
    ADDR_RESOLVED,
    /** Looks for the path to the peer. */
    ROUTE_QUERY,
    /** Knows the path to the peer. */
    ROUTE_RESOLVED,
    /** Connects, or is connected, or was refused; the connection's own state says which. */
    CONNECT,
    /** Was connected. */
    DISCONNECT,
    /** Destroyed. */
    CLOSED;

    /** Tells whether an event means anything to an id in this state; what comes too late does not. */
    boolean reports(CmEventType type) {
        return switch (type) {
            case ADDR_RESOLVED -> this == ADDR_RESOLVED;
            case ADDR_ERROR -> this == ADDR_BOUND;
            case ROUTE_RESOLVED -> this == ROUTE_RESOLVED;
            case ROUTE_ERROR -> this == ADDR_RESOLVED;
            case TIMEWAIT_EXIT -> this == DISCONNECT;
            case MULTICAST_JOIN, MULTICAST_ERROR -> this != CLOSED;
            default -> this == CONNECT;
        };
    }
}
