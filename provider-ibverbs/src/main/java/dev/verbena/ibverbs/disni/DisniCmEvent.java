// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.UdParameters;
import dev.verbena.ibverbs.internal.CmEventQueue;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A connection event. DiSNI reports only the event's type and connection ids, and does not set other fields. */
final class DisniCmEvent implements CmEventQueue.Entry {
    private final int typeCode;
    private final DisniConnectionId id;
    private final @Nullable DisniConnectionId listener;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    DisniCmEvent(int typeCode, DisniConnectionId id, @Nullable DisniConnectionId listener) {
        this.typeCode = typeCode;
        this.id = id;
        this.listener = listener;
    }

    @Override
    public boolean isStale() {
        return id.isClosed() || (listener != null && listener.isClosed());
    }

    /** Rejects a connection request by closing the connection id of the request. */
    @Override
    public void drop() {
        if (listener != null) {
            id.discard();
        }
    }

    @Override
    public void taken() {
        id.pending().add(this);
    }

    @Override
    public CmEventType type() {
        return CmEventType.of(typeCode);
    }

    @Override
    public int typeCode() {
        return typeCode;
    }

    @Override
    public ConnectionId id() {
        return id;
    }

    @Override
    public Optional<ConnectionId> listenId() {
        return Optional.ofNullable(listener);
    }

    /** Returns 0. The actual status of the event is unknown, because DiSNI reports -1 for all events. */
    @Override
    public int status() {
        return 0;
    }

    @Override
    public byte[] privateData() {
        return new byte[0];
    }

    @Override
    public Optional<ConnectionParameters> parameters() {
        return Optional.empty();
    }

    @Override
    public Optional<UdParameters> udParameters() {
        return Optional.empty();
    }

    @Override
    public @Nullable Object multicastContext() {
        return null;
    }

    @Override
    public void close() {
        if (acknowledged.compareAndSet(false, true)) {
            id.pending().remove(this);
        }
    }

    @Override
    public String toString() {
        return type() + " of " + id;
    }
}
