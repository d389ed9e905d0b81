package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;

/** The state of an id, and the channel of its events. Guarded by the manager's lock. */
final class IdLife {
    private final SimConnectionId id;
    private final CmLock lock;
    private IdState state = IdState.IDLE;
    private SimEventChannel channel;
    private int unacknowledged;

    IdLife(SimConnectionId id, CmLock lock, SimEventChannel channel) {
        this.id = id;
        this.lock = lock;
        this.channel = channel;
        channel.idAdded();
    }

    IdState state() {
        return state;
    }

    void enter(IdState next) {
        state = next;
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

    /** Reports an event without data. */
    void emit(CmEventType type, int status) {
        emit(type, status, CmEventData.NONE);
    }

    /** Reports an event, unless the state no longer permits it. */
    void emit(CmEventType type, int status, CmEventData data) {
        if (state.reports(type)) {
            channel.add(new SimCmEvent(lock, type, id, null, status, data));
        }
    }

    /** Reports an event of an id that was made for a request to this one. */
    void announce(CmEventType type, SimConnectionId made, CmEventData data) {
        channel.add(new SimCmEvent(lock, type, made, id, 0, data));
    }

    /** Changes the number of events that the user has taken and not closed. */
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

    VerbsException wrongState(String verb, String cure) {
        return new VerbsException(Errno.EINVAL, verb, id + ": " + cure);
    }
}
