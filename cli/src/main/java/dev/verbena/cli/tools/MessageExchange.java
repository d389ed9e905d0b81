// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.WorkCompletion;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The tools {@code rdma_client} and {@code rdma_server}: the client sends a message of 16 bytes, and the server replies
 * with a message of 16 bytes. Each tool prints the same text and sends the same messages as librdmacm's tool of the same
 * name, so that the peer may be a tool of librdmacm.
 *
 * @see <a href="https://man7.org/linux/man-pages/man1/rdma_client.1.html">rdma_client(1)</a>
 */
public final class MessageExchange implements AutoCloseable {
    public static final int PORT = 7471;

    private static final int MESSAGE = 16;
    private static final long SEND = 1;
    private static final long RECEIVE = 2;

    private final boolean server;
    private final InetSocketAddress address;
    private final @Nullable Duration patience;
    private final PrintWriter out;
    private final ToolLoop loop;
    private final EventChannel channel;
    private final ConnectionId first;
    private @Nullable Talk talk;

    /**
     * Creates a client or a server, but does not start it. The tool fails if no event or completion arrives for the
     * duration {@code patience}; null means no limit, as in librdmacm's tools.
     */
    public MessageExchange(
            ConnectionManager manager,
            VerbsRuntime runtime,
            boolean server,
            InetSocketAddress address,
            @Nullable Duration patience,
            PrintWriter out)
            throws VerbsException {
        this.server = server;
        this.address = address;
        this.patience = patience;
        this.out = out;
        loop = new ToolLoop(runtime);
        channel = manager.createEventChannel();
        first = manager.createId(channel, PortSpace.TCP, null);
        channel.setHandler(loop.forEvents(this::onEvent));
    }

    private String name() {
        return server ? "rdma_server" : "rdma_client";
    }

    /** As the server, starts to listen; as the client, starts to resolve the server's address. Returns immediately. */
    public void start() throws VerbsException {
        print("start");
        if (server) {
            first.bind(address);
            first.listen(0);
        } else {
            first.resolveAddress(null, address, ToolLoop.RESOLVING);
        }
    }

    /** Waits until the tool has finished. Prints "end 0", or prints "end -1" and throws {@link ToolException}. */
    public void await() throws ToolException, InterruptedException {
        try {
            loop.awaitEnd(patience);
        } catch (ToolException e) {
            print("end -1");
            throw e;
        }
        print("end 0");
    }

    private void onEvent(CmEventType type, ConnectionId id, int status) throws VerbsException, ToolException {
        switch (type) {
            case ADDR_RESOLVED -> id.resolveRoute(ToolLoop.RESOLVING);
            case ROUTE_RESOLVED -> {
                talk = new Talk(id);
                id.connect(ConnectionParameters.builder().build());
            }
            case CONNECT_REQUEST -> {
                if (talk == null) {
                    talk = new Talk(id);
                    id.accept(ConnectionParameters.builder().build());
                } else {
                    // The server serves only its first connection.
                    ToolLoop.refuse(id);
                }
            }
            case ESTABLISHED -> {
                if (talk != null) {
                    talk.onEstablished();
                }
            }
            case DISCONNECTED -> {
                if (talk != null) {
                    talk.onDisconnected(status);
                }
            }
            case TIMEWAIT_EXIT -> {}
            default ->
                throw new ToolException(
                        (server ? "rdma_accept" : "rdma_connect") + ": RDMA_CM_EVENT_" + type + ", error " + status);
        }
    }

    private void print(String what) {
        out.println(name() + ": " + what);
        out.flush();
    }

    /**
     * Disconnects an established connection, and waits a limited time until the peer has received the DREQ.
     * Thread-safe, because the JVM's shutdown hook calls this method in a thread of its own.
     */
    public void interrupt(Duration moment) throws InterruptedException {
        loop.submit(() -> {
            if (talk == null) {
                loop.end();
            } else {
                talk.id.disconnect();
            }
        });
        loop.await(moment);
    }

    @Override
    public void close() throws VerbsException {
        loop.close();
        if (talk != null) {
            talk.close();
        }
        first.close();
        channel.close();
    }

    private final class Talk implements AutoCloseable, CmQueuePair.Taker {
        private final ConnectionId id;
        private final CmQueuePair queuePair;
        private final CmQueuePair.Memory message;
        private final LastWord lastWord = new LastWord();
        private boolean established;
        private boolean sending;
        private boolean sent;
        private boolean received;

        Talk(ConnectionId id) throws VerbsException, ToolException {
            this.id = id;
            queuePair = new CmQueuePair(loop, id, 1, 1, this);
            try {
                message = queuePair.newMemory(MESSAGE);
                queuePair.receive(RECEIVE, queuePair.newMemory(MESSAGE, AccessFlag.LOCAL_WRITE));
            } catch (VerbsException | ToolException | RuntimeException e) {
                try (queuePair) {
                    throw e;
                }
            }
        }

        /** Handles the ESTABLISHED event, which may arrive after the peer's first message. */
        void onEstablished() throws VerbsException, ToolException {
            established = true;
            if (!server) {
                send();
            }
            endIfDone();
        }

        private void send() throws ToolException {
            sending = true;
            queuePair.post(request -> request.send().id(SEND).sge(message.region(), 0, MESSAGE));
        }

        @Override
        public void onCompletion(WorkCompletion completion) throws VerbsException, ToolException {
            if (completion.workRequestId() == SEND) {
                sent = true;
            } else {
                received = true;
                if (server) {
                    send();
                }
            }
            endIfDone();
        }

        private void endIfDone() throws VerbsException {
            if (established && sent && received) {
                id.disconnect();
            }
        }

        @Override
        public void onFailure(ToolException failure) throws ToolException, VerbsException {
            if (!received || !sending) {
                throw failure;
            }
            lastWord.unheard(id, failure);
        }

        /** Handles the DISCONNECTED event. The peer disconnects after it has received the message of this process. */
        void onDisconnected(int status) throws VerbsException, ToolException {
            queuePair.drain();
            // If both processes have started to disconnect, each one still waits for the DREP of its peer.
            id.disconnect();
            lastWord.onDisconnected(status);
            if (!received || !sending) {
                throw new ToolException("the peer has disconnected before its message arrived");
            }
            loop.end();
        }

        @Override
        public void close() throws VerbsException {
            queuePair.close();
            id.close();
        }
    }
}
