// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.verbena.cm.CmEventType;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.QueuedEventChannel;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An event channel of DiSNI, with a thread of its own that reads the events. */
final class DisniEventChannel extends QueuedEventChannel<DisniCmEvent> {
    private static final String NAME = "event channel of DiSNI";

    private final DisniConnectionManager manager;
    private final RdmaEventChannel channel;
    private final UseGuard guard = new UseGuard(NAME);
    private final PollingThread poller = new PollingThread("verbena-disni-cm", guard, this::pollEvents);
    private final Dependents dependents = new Dependents();

    /**
     * Serializes access to the map in which DiSNI stores the channel's connection ids. This map is not thread-safe. The
     * thread that reads CM events holds this lock during each read. The lock is fair, so that others can acquire it
     * between two reads of CM events.
     */
    private final ReentrantLock turn = new ReentrantLock(true);

    @FunctionalInterface
    interface Use<T> {
        T with(RdmaEventChannel channel) throws VerbsException;
    }

    DisniEventChannel(DisniConnectionManager manager, RdmaEventChannel channel) {
        super("the " + NAME);
        this.manager = manager;
        this.channel = channel;
    }

    DisniEventChannel started() {
        poller.start();
        return this;
    }

    DisniConnectionManager manager() {
        return manager;
    }

    Dependents dependents() {
        return dependents;
    }

    <T> T withChannel(Use<T> use) throws VerbsException {
        guard.requireEnter();
        turn.lock();
        try {
            return use.with(channel);
        } finally {
            turn.unlock();
            guard.exit();
        }
    }

    private Optional<Runnable> pollEvents(int milliseconds) throws IOException {
        if (events.isFull()) {
            return Optional.empty();
        }
        @Nullable RdmaCmEvent read;
        turn.lock();
        try {
            read = manager.cm().getCmEvent(channel, milliseconds);
        } finally {
            turn.unlock();
        }
        if (read == null) {
            return Optional.empty();
        }
        RdmaCmEvent event = read;
        return Optional.of(() -> pass(event));
    }

    private void pass(RdmaCmEvent read) {
        manager.cm().ackCmEvent(read);
        int code = read.getEvent();
        CmEventType type = CmEventType.of(code);
        RdmaCmId about = read.getConnIdPriv();
        DisniConnectionId id = manager.find(about);
        DisniConnectionId listener = null;
        if (type == CmEventType.CONNECT_REQUEST && about != null) {
            listener = manager.find(read.getListenIdPriv());
            id = manager.adopt(about, this, listener == null ? null : listener.context());
            if (listener == null) {
                id.discard(); // The listener was closed; discarding the id rejects the connection request.
                return;
            }
        }
        if (id != null) {
            id.apply(type);
            events.deliver(new DisniCmEvent(code, id, listener));
        }
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = poller.end(() -> {
            String verb = "rdma_destroy_event_channel";
            dependents.requireNone(verb, this);
            DisniLibrary.destroy(verb, "closing the " + this, () -> manager.cm().destroyEventChannel(channel));
        });
        if (closedNow) {
            events.close();
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
