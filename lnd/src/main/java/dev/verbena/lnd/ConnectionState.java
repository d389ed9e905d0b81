package dev.verbena.lnd;

/** Where a connection is in its life. Source: {@code IBLND_CONN_*}. */
enum ConnectionState {
    /** The address or the route of the peer is being looked up; there is no queue pair. */
    INIT,
    /** We asked for the connection. */
    ACTIVE_CONNECT,
    /** The peer asked, we accepted, and wait for it to be ready. */
    PASSIVE_WAIT,
    /** Messages flow. */
    ESTABLISHED,
    /** It has failed or was closed, takes no more messages, and waits for its turn to be torn down. */
    CLOSING,
    /** The queue pair is in error and everything has been aborted; flushes are awaited. */
    DISCONNECTED,
    /** Its queue pair and id are being destroyed, or are gone; completions and events do not matter any more. */
    DESTROYED;

    boolean isConnecting() {
        return this == INIT || this == ACTIVE_CONNECT || this == PASSIVE_WAIT;
    }
}
