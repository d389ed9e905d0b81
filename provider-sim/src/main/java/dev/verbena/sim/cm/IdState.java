// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;

/** The state of an id: the states of Linux's rdma_cm, with the names that error messages show. */
enum IdState {
    /** New. */
    IDLE,
    /** Has an address and a port. */
    ADDR_BOUND,
    /** Accepts requests. */
    LISTEN,
    /** Searches for the device that reaches the peer. */
    ADDR_QUERY,
    /** Has found the device that reaches the peer. */
    ADDR_RESOLVED,
    /** Searches for the path to the peer. */
    ROUTE_QUERY,
    /** Has found the path to the peer. */
    ROUTE_RESOLVED,
    /** Connects, is connected, or was rejected; the connection's own state has the details. */
    CONNECT,
    /** Was connected. */
    DISCONNECT,
    /** Destroyed. */
    CLOSED;

    /** Returns whether an id in this state reports an event. An event that comes too late is not reported. */
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
