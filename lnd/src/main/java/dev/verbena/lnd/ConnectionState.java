// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

/** The state of a connection. Source: {@code IBLND_CONN_*}. */
enum ConnectionState {
    /** The address or the route of the peer is being resolved; the connection has no queue pair. */
    INIT,
    /** This node requested the connection. */
    ACTIVE_CONNECT,
    /** The peer requested the connection and this node accepted; the peer is not ready yet. */
    PASSIVE_WAIT,
    /** Messages flow. */
    ESTABLISHED,
    /**
     * The connection has failed or was closed. It accepts no more messages and waits for the daemon to tear it down.
     */
    CLOSING,
    /** The queue pair is in the error state and all messages have been aborted; the flushes are pending. */
    DISCONNECTED,
    /** The queue pair and the id are being destroyed or are destroyed; completions and events are ignored. */
    DESTROYED;

    boolean isConnecting() {
        return this == INIT || this == ACTIVE_CONNECT || this == PASSIVE_WAIT;
    }
}
