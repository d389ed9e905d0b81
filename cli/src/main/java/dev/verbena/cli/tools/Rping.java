// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code rping}: over an rdma_cm connection, the server READs the client's data and WRITEs it back. The tool
 * has the options, output and messages of librdmacm's rping, so that its peer may be librdmacm's rping.
 *
 * @see <a href="https://man7.org/linux/man-pages/man1/rping.1.html">rping(1)</a>
 */
public final class Rping implements AutoCloseable {
    private static final int BACKLOG = 3;

    private final RpingSettings settings;
    private final PrintWriter out;
    private final ToolLoop loop;
    private final EventChannel channel;
    private final ConnectionId first;
    private final Map<ConnectionId, RpingEnd> ends = new LinkedHashMap<>();
    private boolean interrupted;
    private RpingEnd.State state = RpingEnd.State.IDLE;

    public Rping(ConnectionManager manager, VerbsRuntime runtime, RpingSettings settings, PrintWriter out)
            throws VerbsException {
        this.settings = settings;
        this.out = out;
        loop = new ToolLoop(runtime);
        channel = manager.createEventChannel();
        first = manager.createId(channel, PortSpace.TCP, null);
        channel.setHandler(loop.forEvents(this::onEvent));
    }

    /** As the server, starts to listen; as the client, starts to resolve the server's address. Returns immediately. */
    public void start() throws VerbsException {
        if (settings.server()) {
            first.bind(settings.address());
            first.listen(BACKLOG);
        } else {
            InetSocketAddress source = settings.source() == null ? null : new InetSocketAddress(settings.source(), 0);
            first.resolveAddress(source, settings.address(), ToolLoop.RESOLVING);
        }
    }

    public boolean isOver() {
        return loop.isOver();
    }

    /**
     * Waits until rping finishes. A persistent server waits until its thread is interrupted. Throws {@link ToolException}
     * if the tool failed, or exceeded the time limit in the settings.
     */
    public void await() throws ToolException, InterruptedException {
        loop.awaitEnd(settings.persistent() && settings.server() ? null : settings.patience());
    }

    private void onEvent(CmEventType type, ConnectionId id, int status) throws VerbsException, ToolException {
        RpingEnd end = ends.get(id);
        if (end != null) {
            end.onEvent(type, status);
            return;
        }
        switch (type) {
            case ADDR_RESOLVED -> {
                state = RpingEnd.State.ADDR_RESOLVED;
                id.resolveRoute(ToolLoop.RESOLVING);
            }
            case ROUTE_RESOLVED -> {
                RpingClient client = new RpingClient(loop, settings, out, id);
                ends.put(id, client);
                client.connect();
            }
            case CONNECT_REQUEST -> onRequest(id);
            case TIMEWAIT_EXIT -> {}
            default -> throw failed(type, status, "waiting for addr/route resolution state " + state.number());
        }
    }

    private void onRequest(ConnectionId id) throws VerbsException, ToolException {
        if (!settings.persistent() && !ends.isEmpty()) {
            // A server that is not persistent serves only one connection.
            ToolLoop.refuse(id);
            return;
        }
        try {
            RpingServer server = new RpingServer(loop, settings, out, id, this::onFinished);
            ends.put(id, server);
            server.accept();
        } catch (VerbsException | ToolException e) {
            if (!settings.persistent()) {
                throw e;
            }
            // A persistent server continues after a client has failed, like librdmacm's rping_persistent_server_thread.
            print(String.valueOf(e.getMessage()));
            RpingEnd made = ends.remove(id);
            if (made != null) {
                made.queuePair().close();
            }
            ToolLoop.refuse(id);
        }
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    private void onFinished(RpingServer server) {
        if (settings.persistent() && !interrupted) {
            ends.remove(server.id());
            loop.submit(server::close);
        } else if (ends.values().stream().noneMatch(RpingEnd::isConnected)) {
            loop.end();
        }
    }

    /** Returns the error message that librdmacm's rping prints for an unexpected event. */
    static ToolException failed(CmEventType type, int status, String where) {
        return new ToolException("cma event RDMA_CM_EVENT_" + type + ", error " + status + "\n" + where);
    }

    /**
     * Disconnects the established connections, and waits a limited time until the peers have received the DREQs. The
     * shutdown hook calls this method in another thread, so the method is thread-safe.
     */
    public void interrupt(Duration moment) throws InterruptedException {
        loop.submit(() -> {
            interrupted = true;
            boolean connected = false;
            for (RpingEnd end : List.copyOf(ends.values())) {
                if (end.isConnected()) {
                    connected = true;
                    end.id().disconnect();
                }
            }
            if (!connected) {
                loop.end();
            }
        });
        loop.await(moment);
    }

    @Override
    public void close() throws VerbsException {
        loop.close();
        @Nullable VerbsException firstFailure = null;
        for (RpingEnd end : ends.values()) {
            try {
                end.close();
            } catch (VerbsException e) {
                firstFailure = firstFailure == null ? e : firstFailure;
            }
        }
        if (firstFailure != null) {
            throw firstFailure;
        }
        first.close();
        channel.close();
    }
}
