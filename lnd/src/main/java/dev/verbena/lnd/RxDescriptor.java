package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnet.ReceiveHandle;

/**
 * A receive buffer of a connection from the moment a message has come in until it is posted again. Made for each message, as that
 * costs less than looking at one that was used as many messages ago as there are buffers. Source: {@code struct kib_rx}.
 */
final class RxDescriptor implements ReceiveHandle {

    private final Connection connection;
    private final int index;
    private final int page;
    private final int received;
    private boolean held;

    RxDescriptor(Connection connection, int index, int page, int received) {
        this.connection = connection;
        this.index = index;
        this.page = page;
        this.received = received;
    }

    Connection connection() {
        return connection;
    }

    int index() {
        return index;
    }

    /** Where the buffer is in the node's region. */
    long offset() {
        return page * NodeMemory.PAGE;
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
}
