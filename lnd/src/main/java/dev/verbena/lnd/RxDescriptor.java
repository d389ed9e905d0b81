package dev.verbena.lnd;

import dev.verbena.lnet.ReceiveHandle;

/** A receive buffer of a connection. Source: {@code struct kib_rx}. */
final class RxDescriptor implements ReceiveHandle {

    private final Connection connection;
    private final int index;
    private final long offset;
    private int received;
    private boolean held;

    RxDescriptor(Connection connection, int index, long offset) {
        this.connection = connection;
        this.index = index;
        this.offset = offset;
    }

    Connection connection() {
        return connection;
    }

    int index() {
        return index;
    }

    /** Where the buffer is in the node's region. */
    long offset() {
        return offset;
    }

    /** Whether LNet has not said yet what to do with the message in the buffer, which must not change until then. */
    boolean isHeld() {
        return held;
    }

    void held(boolean on) {
        held = on;
    }

    int received() {
        return received;
    }

    void received(int bytes) {
        received = bytes;
    }
}
