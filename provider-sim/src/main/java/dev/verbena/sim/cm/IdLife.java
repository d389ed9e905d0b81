// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.sim.cm.engine.CmListener;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** The state of an rdma_cm ID, and the channel of its events. Guarded by the manager's lock. */
final class IdLife {
    private final ConnectionId id;
    private final CmLock lock;
    private IdState state = IdState.IDLE;
    private SimEventChannel channel;
    private @Nullable CmListener listener;
    private int unacknowledged;

    IdLife(ConnectionId id, CmLock lock, SimEventChannel channel) {
        this.id = id;
        this.lock = lock;
        this.channel = channel;
        channel.idAdded();
    }

    ConnectionId id() {
        return id;
    }

    IdState state() {
        return state;
    }

    void enter(IdState next) {
        state = next;
    }

    void listen(CmListener made) {
        listener = made;
        state = IdState.LISTEN;
    }

    @Nullable CmListener listener() {
        return listener;
    }

    void requestTaken() {
        if (listener != null) {
            listener.requestTaken();
        }
    }

    SimEventChannel channel() {
        return channel;
    }

    void moveTo(SimEventChannel target) {
        if (channel != target) {
            channel.idRemoved();
            target.idAdded();
            channel = target;
        }
    }

    void emit(CmEventType type, int status) {
        emit(type, status, CmEventData.NONE);
    }

    void emit(CmEventType type, int status, CmEventData data) {
        if (state.reports(type)) {
            channel.add(new SimCmEvent(lock, type, this, null, status, data));
        }
    }

    void announce(IdLife made, CmEventData data) {
        channel.add(new SimCmEvent(lock, CmEventType.CONNECT_REQUEST, made, this, 0, data));
    }

    /** Adds {@code change} to the count of received events that the user has not closed yet. */
    void unacknowledged(int change) {
        unacknowledged += change;
    }

    int unacknowledged() {
        return unacknowledged;
    }

    void require(String verb, String cure, IdState... allowed) throws VerbsException {
        for (IdState each : allowed) {
            if (state == each) {
                return;
            }
        }
        throw wrongState(verb, cure);
    }

    void requireOpen(String verb) throws VerbsException {
        if (state == IdState.CLOSED) {
            throw wrongState(verb, "make a new id");
        }
    }

    VerbsException wrongState(String verb, String cure) {
        return new VerbsException(Errno.EINVAL, verb, id + ": " + cure);
    }
}
