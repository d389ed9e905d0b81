package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnet.ReceiveHandle;

/** A receive buffer of a connection. Source: {@code struct kib_rx}. */
final class RxDescriptor implements ReceiveHandle {

    private final Connection connection;
    private final int index;
    private final long offset;
    private final LndMessage message;
    private long received;
    private boolean held;

    RxDescriptor(Connection connection, NodeMemory memory, int index, long offset) {
        this.connection = connection;
        this.index = index;
        this.offset = offset;
        message = new LndMessage().wrap(memory.segment(), offset);
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

    LndMessage message() {
        return message;
    }

    /** Whether LNet has not said yet what to do with the message in the buffer, which must not change until then. */
    boolean isHeld() {
        return held;
    }

    void held(boolean on) {
        held = on;
    }

    long received() {
        return received;
    }

    void received(long bytes) {
        received = bytes;
    }
}
