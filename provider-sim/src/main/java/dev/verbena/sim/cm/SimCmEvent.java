// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.UdParameters;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event of an rdma_cm ID. If {@link SimEventChannel#poll} has returned an event, the event's rdma_cm ID cannot be
 * destroyed until the application closes the event. A CONNECT_REQUEST event also prevents the destruction of the listening
 * rdma_cm ID until the application closes the event.
 */
final class SimCmEvent implements CmEvent {
    private final CmLock lock;
    private final CmEventType type;
    private final IdLife id;
    private final @Nullable IdLife listener;
    private final int status;
    private final CmEventData data;
    private boolean counts;

    SimCmEvent(CmLock lock, CmEventType type, IdLife id, @Nullable IdLife listener, int status, CmEventData data) {
        this.lock = lock;
        this.type = type;
        this.id = id;
        this.listener = listener;
        this.status = status;
        this.data = data;
    }

    boolean belongsTo(IdLife other) {
        return id == other || listener == other;
    }

    IdLife life() {
        return id;
    }

    /** Frees the listener's backlog slot of a CONNECT_REQUEST event that the application gets. Call with the CM lock. */
    void taken() {
        if (listener != null) {
            listener.requestTaken();
        }
    }

    /**
     * Increments the rdma_cm ID's number of unacknowledged events: the application must close the event before the rdma_cm
     * ID. Call only with the CM lock.
     */
    void count() {
        counts = true;
        count(1);
    }

    private void count(int change) {
        id.unacknowledged(change);
        if (listener != null) {
            listener.unacknowledged(change);
        }
    }

    @Override
    public CmEventType type() {
        return type;
    }

    @Override
    public ConnectionId id() {
        return id.id();
    }

    @Override
    public Optional<ConnectionId> listenId() {
        return Optional.ofNullable(listener).map(IdLife::id);
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public byte[] privateData() {
        return data.privateData().clone();
    }

    @Override
    public Optional<ConnectionParameters> parameters() {
        return Optional.ofNullable(data.connection());
    }

    @Override
    public Optional<UdParameters> udParameters() {
        return Optional.ofNullable(data.datagrams());
    }

    @Override
    public @Nullable Object multicastContext() {
        return data.multicastContext();
    }

    @Override
    public void close() {
        lock.run(() -> {
            if (counts) {
                counts = false;
                count(-1);
            }
        });
    }

    @Override
    public String toString() {
        return type + " status " + status + " of " + id.id();
    }
}
