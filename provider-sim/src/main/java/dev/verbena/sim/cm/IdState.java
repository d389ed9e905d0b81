// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;

/** A state of an rdma_cm ID. Linux's rdma_cm has all states except CLOSED. Error messages show the state's name. */
enum IdState {
    IDLE,
    ADDR_BOUND,
    LISTEN,
    ADDR_QUERY,
    ADDR_RESOLVED,
    ROUTE_QUERY,
    ROUTE_RESOLVED,
    /** The rdma_cm ID connects, is connected, or was rejected; {@link dev.verbena.sim.cm.engine.CmState} has more detail. */
    CONNECT,
    DISCONNECT,
    CLOSED;

    /** Returns whether an rdma_cm ID in this state reports events of a type. Other events are stale and dropped. */
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
