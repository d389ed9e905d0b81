// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnet.ReceiveHandle;

/**
 * A receive buffer of a connection, from the arrival of a message until the buffer is posted again. Each message gets a new
 * {@code RxDescriptor}, because the access to a reused object would cost a cache miss. Source: {@code struct kib_rx}.
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

    /** Returns the offset of this buffer in the node's registered memory. */
    long offset() {
        return page * NodeMemory.PAGE;
    }

    /** Returns whether LNet still uses the message in the buffer. The LND must not overwrite a buffer that LNet uses. */
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
