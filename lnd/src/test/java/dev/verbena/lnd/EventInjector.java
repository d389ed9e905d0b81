// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.CmCapability;
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.cm.UdParameters;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A connection manager that can be made to report events which never happened. */
final class EventInjector implements ConnectionManager {

    private final ConnectionManager real;
    private final List<ConnectionId> ids = new ArrayList<>();
    private @Nullable CmEventHandler handler;

    EventInjector(ConnectionManager real) {
        this.real = real;
    }

    /** Ids that were made or came with a request, closed ones too. */
    List<ConnectionId> ids() {
        return ids;
    }

    void inject(CmEventType type, ConnectionId id, int status, byte[] privateData) {
        CmEventHandler target = handler;
        if (target != null) {
            target.onCmEvent(new Invented(type, id, status, privateData));
        }
    }

    private record Invented(CmEventType type, ConnectionId id, int status, byte[] privateData) implements CmEvent {
        @Override
        public Optional<ConnectionId> listenId() {
            return Optional.empty();
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
        public void close() {}
    }

    private final class Channel implements EventChannel {
        private final EventChannel inner;

        Channel(EventChannel inner) {
            this.inner = inner;
        }

        @Override
        public Optional<CmEvent> poll() throws VerbsException {
            return inner.poll();
        }

        @Override
        public Optional<CmEvent> await(Duration timeout) throws VerbsException, InterruptedException {
            return inner.await(timeout);
        }

        @Override
        public void setHandler(@Nullable CmEventHandler wanted) {
            handler = wanted;
            inner.setHandler(
                    wanted == null
                            ? null
                            : event -> {
                                if (event.type() == CmEventType.CONNECT_REQUEST) {
                                    ids.add(event.id());
                                }
                                wanted.onCmEvent(event);
                            });
        }

        @Override
        public void close() throws VerbsException {
            inner.close();
        }
    }

    @Override
    public Set<CmCapability> capabilities() {
        return real.capabilities();
    }

    @Override
    public EventChannel createEventChannel() throws VerbsException {
        return new Channel(real.createEventChannel());
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace portSpace, @Nullable Object context)
            throws VerbsException {
        ConnectionId id = real.createId(((Channel) channel).inner, portSpace, context);
        ids.add(id);
        return id;
    }
}
