// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code ucmatose}: many concurrent rdma_cm connections, with messages from the server and replies from the
 * client. The tool has the options, output and messages of librdmacm's ucmatose, so that its peer may be librdmacm's
 * ucmatose. Unlike librdmacm's ucmatose, this class reports an error if a completion fails, or if the test makes no
 * progress within the time limit in the settings.
 *
 * @see <a href="https://man7.org/linux/man-pages/man1/ucmatose.1.html">ucmatose(1)</a>
 */
public final class Ucmatose implements AutoCloseable {
    private final UcmatoseSettings settings;
    private final ConnectionManager manager;
    private final PrintWriter out;
    private final ToolLoop loop;
    private final List<EventChannel> channels = new ArrayList<>();
    private final Map<ConnectionId, UcmatoseNode> nodes = new LinkedHashMap<>();
    private @Nullable ConnectionId listener;
    private Phase phase = Phase.CONNECTING;
    private int connectsLeft;
    private int disconnectsLeft;
    private int status;

    private enum Phase {
        CONNECTING,
        SENDING,
        RECEIVING,
        DISCONNECTING,
        OVER
    }

    public Ucmatose(ConnectionManager manager, VerbsRuntime runtime, UcmatoseSettings settings, PrintWriter out)
            throws VerbsException {
        this.settings = settings;
        this.manager = manager;
        this.out = out;
        loop = new ToolLoop(runtime);
        connectsLeft = settings.connections();
        newChannel();
    }

    private EventChannel newChannel() throws VerbsException {
        EventChannel made = manager.createEventChannel();
        made.setHandler(loop.forEvents(this::onEvent));
        channels.add(made);
        return made;
    }

    /** As the server, starts to listen; as the client, starts to resolve the server's address. Returns immediately. */
    public void start() throws VerbsException {
        print("cmatose: starting " + (settings.server() ? "server" : "client"));
        if (settings.server()) {
            ConnectionId made = newId();
            listener = made;
            made.bind(settings.address());
            made.listen(0);
            return;
        }
        print("cmatose: connecting");
        InetSocketAddress source = settings.source() == null ? null : new InetSocketAddress(settings.source(), 0);
        for (int i = 0; i < settings.connections(); i++) {
            ConnectionId id = newId();
            nodes.put(id, new UcmatoseNode(settings, id, this::step));
            if (settings.ackTimeout() != null) {
                id.setAckTimeout(settings.ackTimeout());
            }
            id.resolveAddress(source, settings.address(), ToolLoop.RESOLVING);
        }
    }

    private ConnectionId newId() throws VerbsException {
        ConnectionId id = manager.createId(channels.getFirst(), settings.portSpace(), null);
        if (settings.typeOfService().isPresent()) {
            id.setTypeOfService(settings.typeOfService().getAsInt());
        }
        return id;
    }

    public boolean isOver() {
        return loop.isOver();
    }

    /**
     * Waits until the tool ends, and prints its outcome. Returns 0 on success, or the status of the CM event that ended
     * the tool. Throws {@link ToolException} if the tool exceeded its time limit, or a work request failed.
     */
    public int await() throws ToolException, InterruptedException {
        loop.awaitEnd(settings.patience());
        print("test complete");
        print("return status " + status);
        return status;
    }

    private void onEvent(CmEventType type, ConnectionId id, int eventStatus) throws VerbsException, ToolException {
        if (type == CmEventType.CONNECT_REQUEST) {
            onRequest(id);
            return;
        }
        UcmatoseNode node = nodes.get(id);
        if (node == null) {
            return;
        }
        switch (type) {
            case ADDR_RESOLVED -> id.resolveRoute(ToolLoop.RESOLVING);
            case ROUTE_RESOLVED -> {
                node.prepare(loop);
                id.connect(ConnectionParameters.builder()
                        .responderResources(1)
                        .initiatorDepth(1)
                        .retryCount(5)
                        .rnrRetryCount(RnrRetryCount.of(0))
                        .build());
            }
            case ESTABLISHED -> {
                node.connected(true);
                connectsLeft--;
                disconnectsLeft++;
            }
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED -> {
                print("cmatose: event: RDMA_CM_EVENT_" + type + ", error: " + eventStatus);
                connectsLeft--;
                status = eventStatus;
            }
            case DISCONNECTED -> {
                disconnectsLeft--;
                node.onDisconnected(eventStatus);
                if (node.isConnected()) {
                    // If the peer disconnects before all messages have arrived, the missing messages never arrive.
                    if (phase != Phase.DISCONNECTING && settings.talks() && !isDone(node)) {
                        throw new ToolException("cmatose: the peer has disconnected before all messages arrived");
                    }
                    node.connected(false);
                    id.disconnect();
                }
            }
            default -> {}
        }
        step();
    }

    private boolean isDone(UcmatoseNode node) {
        return node.hasReceivedAll() && (!settings.server() || node.hasSentAll());
    }

    private void onRequest(ConnectionId id) throws VerbsException, ToolException {
        if (nodes.size() == settings.connections()) {
            print("cmatose: failing connection request");
            ToolLoop.refuse(id);
            return;
        }
        UcmatoseNode node = new UcmatoseNode(settings, id, this::step);
        nodes.put(id, node);
        node.prepare(loop);
        id.accept(ConnectionParameters.builder().build());
    }

    /** Starts the next {@link Phase} of ucmatose if all CM events or completions of the current phase have arrived. */
    private void step() {
        Phase before;
        do {
            before = phase;
            try {
                advance();
            } catch (ToolException e) {
                loop.fail(e);
            } catch (VerbsException e) {
                loop.fail(new ToolException(String.valueOf(e.getMessage())));
            }
        } while (phase != before && !loop.isOver());
    }

    private void advance() throws ToolException, VerbsException {
        switch (phase) {
            case CONNECTING -> {
                if (status != 0) {
                    disconnectAll();
                } else if (connectsLeft == 0) {
                    beginMessages();
                }
            }
            case SENDING -> {
                if (nodes.values().stream().allMatch(UcmatoseNode::hasSentAll)) {
                    print("receiving data transfers");
                    phase = Phase.RECEIVING;
                }
            }
            case RECEIVING -> {
                if (nodes.values().stream().allMatch(UcmatoseNode::hasReceivedAll)) {
                    endMessages();
                }
            }
            case DISCONNECTING -> {
                if (disconnectsLeft == 0) {
                    if (settings.server()) {
                        print("disconnected");
                    }
                    phase = Phase.OVER;
                    loop.end();
                }
            }
            case OVER -> {}
        }
    }

    private void beginMessages() throws ToolException, VerbsException {
        if (!settings.talks()) {
            finish();
        } else if (settings.server()) {
            print("initiating data transfers");
            sendAll();
            print("completing sends");
            phase = Phase.SENDING;
        } else {
            print("receiving data transfers");
            phase = Phase.RECEIVING;
        }
    }

    private void endMessages() throws ToolException, VerbsException {
        if (!settings.server()) {
            print("sending replies");
            sendAll();
        }
        print("data transfers complete");
        finish();
    }

    private void sendAll() throws ToolException {
        for (UcmatoseNode node : nodes.values()) {
            node.send();
        }
    }

    private void finish() throws VerbsException {
        if (settings.migrate()) {
            print("migrating to new event channel");
            EventChannel target = newChannel();
            for (UcmatoseNode node : nodes.values()) {
                node.id().migrate(target);
            }
        }
        phase = Phase.DISCONNECTING;
        if (settings.server()) {
            disconnectAll();
        }
    }

    private void disconnectAll() throws VerbsException {
        phase = Phase.DISCONNECTING;
        if (settings.server()) {
            print("cmatose: disconnecting");
        }
        for (UcmatoseNode node : nodes.values()) {
            if (node.isConnected()) {
                node.connected(false);
                node.id().disconnect();
            }
        }
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    /**
     * Disconnects the established connections, and waits a limited time until the peers have received the DREQs. The
     * method is thread-safe, because the shutdown hook calls it.
     */
    public void interrupt(Duration moment) throws InterruptedException {
        loop.submit(() -> {
            disconnectAll();
            step();
        });
        loop.await(moment);
    }

    @Override
    public void close() throws VerbsException {
        loop.close();
        for (UcmatoseNode node : nodes.values()) {
            node.close();
        }
        if (listener != null) {
            listener.close();
        }
        for (EventChannel channel : channels) {
            channel.close();
        }
    }
}
