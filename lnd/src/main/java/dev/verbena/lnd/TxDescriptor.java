// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.engine.Transmit;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.PoolSet;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnet.LnetMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A transmit descriptor, which includes a message buffer. Source: {@code struct kib_tx}. */
final class TxDescriptor extends Transmit {

    private final int index;
    private final long offset;
    private final LndMessage message = new LndMessage();
    private PoolSet.@Nullable Slot<TxDescriptor> slot;
    private @Nullable RdmaTransfer transfer;
    private @Nullable LnetMessage first;
    private @Nullable LnetMessage second;
    private long arrived;
    private boolean charged;

    TxDescriptor(int index, NodeMemory memory, long offset) {
        this.index = index;
        this.offset = offset;
        message.wrap(memory.segment(), offset);
    }

    /** Returns the pool slot to which this descriptor belongs. */
    PoolSet.Slot<TxDescriptor> slot() {
        return Objects.requireNonNull(slot, "not taken from a pool");
    }

    void slot(PoolSet.Slot<TxDescriptor> taken) {
        slot = taken;
    }

    int index() {
        return index;
    }

    /** Returns the offset of this transmit descriptor's message buffer in the node's registered memory region. */
    long offset() {
        return offset;
    }

    LndMessage message() {
        return message;
    }

    @Nullable RdmaTransfer transfer() {
        return transfer;
    }

    void transfer(@Nullable RdmaTransfer memory) {
        transfer = memory;
    }

    /** Sets the LNet messages to finalize when this transmit descriptor is freed. For a GET, {@code reply} is the REPLY. */
    void completes(@Nullable LnetMessage message, @Nullable LnetMessage reply) {
        first = message;
        second = reply;
    }

    @Nullable LnetMessage first() {
        return first;
    }

    @Nullable LnetMessage second() {
        return second;
    }

    /** Returns whether the message counts toward {@link O2ibTunables#peerShare}; o2iblnd's own messages do not. */
    boolean isCharged() {
        return charged;
    }

    void charged(boolean on) {
        charged = on;
    }

    /** Returns the number of bytes that the peer has written to the destination buffer of the RDMA transfer. */
    long arrived() {
        return arrived;
    }

    void arrived(long bytes) {
        arrived = bytes;
    }
}
