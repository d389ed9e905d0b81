// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnet.ReceiveHandle;

/**
 * A receive buffer of a connection from the arrival of a message until its repost. A new object is made for each
 * message: that costs less than the cache misses of reusing an object after all other buffers. Source:
 * {@code struct kib_rx}.
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

    /** Returns whether LNet still holds the message in the buffer, which must not change meanwhile. */
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
