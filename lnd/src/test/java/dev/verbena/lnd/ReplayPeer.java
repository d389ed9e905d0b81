// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.lnd.wire.Captures;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The other node of a captured conversation. It sends the captured messages, on as many connections as the capture has.
 */
final class ReplayPeer implements AutoCloseable {

    private static final int SERVICE = 987;
    private static final long SINK = 8L << 20;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Lab lab;
    private final int host;
    private final EventChannel channel;
    private final @Nullable ConnectionId listener;
    private final Deque<ConnectionId> requests = new ArrayDeque<>();
    private final Set<ConnectionId> resolved = new HashSet<>();
    private final Map<Integer, ConnectionId> ids = new HashMap<>();
    private final Map<Integer, Link> links = new HashMap<>();
    private final List<ConnectionId> closing = new ArrayList<>();

    /** A queue pair, and how much of its memory has been used. */
    private static final class Link {
        private final RawQueuePair queuePair;
        private long used;

        Link(RawQueuePair queuePair) {
            this.queuePair = queuePair;
        }

        /** Memory that nothing else uses; its former contents are overwritten. */
        long room(long length) {
            long start = used + length > SINK ? 0 : used;
            used = start + length;
            return start;
        }
    }

    ReplayPeer(Lab lab, int host, boolean listens) throws VerbsException {
        this.lab = lab;
        this.host = host;
        channel = lab.manager().createEventChannel();
        channel.setHandler(this::onEvent);
        if (listens) {
            listener = lab.manager().createId(channel, PortSpace.TCP, null);
            listener.bind(new InetSocketAddress(Lab.address(host), SERVICE));
            listener.listen(0);
        } else {
            listener = null;
        }
    }

    private void onEvent(CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            requests.add(event.id());
        } else if (event.type() == CmEventType.ADDR_RESOLVED || event.type() == CmEventType.ROUTE_RESOLVED) {
            resolved.add(event.id());
        }
    }

    /** Reposts the receive buffers of received messages. */
    void poll() {
        links.values().forEach(link -> link.queuePair.received());
    }

    /** Assigns the oldest unassigned connection request to a connection. */
    void claim(int connection) {
        if (listener != null) {
            lab.await(() -> !requests.isEmpty(), LONG);
            ids.put(connection, requests.remove());
        }
    }

    void connect(int connection, int target, int port, byte[] privateData) throws VerbsException {
        ConnectionId id = lab.manager().createId(channel, PortSpace.TCP, null);
        ids.put(connection, id);
        id.setReuseAddress(true);
        id.bind(new InetSocketAddress(Lab.address(host), port));
        id.resolveAddress(null, new InetSocketAddress(Lab.address(target), SERVICE), LONG);
        lab.await(() -> resolved.remove(id), LONG);
        id.resolveRoute(LONG);
        lab.await(() -> resolved.remove(id), LONG);
        links.put(connection, new Link(new RawQueuePair(id, SINK)));
        id.connect(parameters(privateData));
    }

    void accept(int connection, byte[] privateData) throws VerbsException {
        ConnectionId id = id(connection);
        links.put(connection, new Link(new RawQueuePair(id, SINK)));
        id.accept(parameters(privateData));
    }

    private static ConnectionParameters parameters(byte[] privateData) {
        return ConnectionParameters.builder().privateData(privateData).build();
    }

    void reject(int connection, byte[] privateData) throws VerbsException {
        ConnectionId id = id(connection);
        id.reject(privateData);
        ids.remove(connection);
        closing.add(id);
    }

    /** Disconnects, if the connection exists. */
    void disconnect(int connection) throws VerbsException {
        @Nullable ConnectionId id = ids.get(connection);
        if (id != null) {
            id.disconnect();
        }
    }

    void send(int connection, byte[] message) {
        link(connection).queuePair.send(message);
    }

    /** Memory for the other side to write to. */
    Captures.Write sink(int connection, int length) {
        Link link = link(connection);
        long address = link.queuePair.sinkAddress() + link.room(length);
        return new Captures.Write(address, link.queuePair.region().rkey(), length);
    }

    void write(int connection, Captures.Write target, byte[] content) {
        Link link = link(connection);
        long room = link.room(target.length());
        MemorySegment memory = link.queuePair.sink().asSlice(room, target.length());
        memory.fill((byte) 0);
        MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
        link.queuePair.writeFromSink(room, target.length(), target.address(), target.key());
    }

    private ConnectionId id(int connection) {
        return Objects.requireNonNull(ids.get(connection), "no such connection");
    }

    private Link link(int connection) {
        return Objects.requireNonNull(links.get(connection), "not connected");
    }

    @Override
    public void close() throws VerbsException {
        for (Link link : links.values()) {
            link.queuePair.closeQp();
        }
        closing.addAll(ids.values());
        closing.addAll(requests);
        for (ConnectionId id : closing) {
            id.close();
        }
        if (listener != null) {
            listener.close();
        }
        channel.close();
        for (Link link : links.values()) {
            link.queuePair.close();
        }
    }
}
