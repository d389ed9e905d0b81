// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

enum ConnectionState {
    /** The connection has no queue pair yet, because the peer's address or the route is being resolved. */
    INIT,
    /** This node has sent the connection request (CM REQ). */
    ACTIVE_CONNECT,
    /** This node has accepted the peer's connection request, and waits for the peer's RTU. */
    PASSIVE_WAIT,
    ESTABLISHED,
    /** The connection has failed or was closed, accepts no more messages, and waits for teardown by {@link Daemon}. */
    CLOSING,
    /** The queue pair is in ERR and the connection's messages are aborted; some flushed completions are pending. */
    DISCONNECTED,
    /** The queue pair and the CM id are being destroyed or are destroyed. Completions and events are ignored. */
    DESTROYED;

    boolean isConnecting() {
        return this == INIT || this == ACTIVE_CONNECT || this == PASSIVE_WAIT;
    }
}
