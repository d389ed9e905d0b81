// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

enum ConnectionState {
    /** The peer's address or route is being resolved; the connection has no queue pair. */
    INIT,
    /** This node has sent the connection request (CM REQ). */
    ACTIVE_CONNECT,
    /** This node has accepted the peer's connection request; the peer's RTU is pending. */
    PASSIVE_WAIT,
    ESTABLISHED,
    /** The connection has failed or was closed, accepts no more messages, and will be torn down by the daemon. */
    CLOSING,
    /** The queue pair is in the error state and all messages have been aborted; flushed completions are pending. */
    DISCONNECTED,
    /** The queue pair and the id are being destroyed or are destroyed. Completions and events are ignored. */
    DESTROYED;

    boolean isConnecting() {
        return this == INIT || this == ACTIVE_CONNECT || this == PASSIVE_WAIT;
    }
}
