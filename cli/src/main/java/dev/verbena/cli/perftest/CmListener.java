// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Listens for the rdma_cm connections of a test's client, on the device's IP address and a free port. */
final class CmListener extends CmWiring {
    private static final String AT = "rdma_cm at ";

    private final ConnectionId listener;

    /** Listens on the device's IP address for one connection request for each queue pair. */
    CmListener(ConnectionManager manager, Device device, PerftestSettings settings, PeerLink link)
            throws VerbsException, ToolException, IOException, InterruptedException {
        super(manager, settings);
        listener = newId();
        try {
            InetAddress address =
                    settings.gid().select(device, settings.port()).gid().toAddress();
            listener.bind(new InetSocketAddress(address, 0));
            listener.listen(settings.queuePairs());
            link.say(AT + address.getHostAddress() + " "
                    + listener.localAddress().orElseThrow().getPort());
            @Nullable ConnectionId[] called = new ConnectionId[settings.queuePairs()];
            awaitCalls(called);
            Arrays.stream(called).forEach(ids()::add);
        } catch (VerbsException | ToolException | IOException | InterruptedException | RuntimeException e) {
            try (this) {
                throw e;
            }
        }
    }

    /** Waits for one connection request for each queue pair, and rejects requests of other peers. */
    private void awaitCalls(@Nullable ConnectionId[] called)
            throws VerbsException, ToolException, InterruptedException {
        long end = System.nanoTime() + settings().patience().toNanos();
        for (int missing = called.length; missing > 0; ) {
            AtomicReference<@Nullable ConnectionId> stranger = new AtomicReference<>();
            expect(CmEventType.CONNECT_REQUEST, event -> stranger.set(place(event, called) ? null : event.id()));
            ConnectionId id = stranger.get();
            if (id == null) {
                missing--;
            } else {
                id.close();
                if (System.nanoTime() - end > 0) {
                    throw new ToolException(
                            "rdma_cm: " + missing + " connection requests of the other end did not arrive within "
                                    + settings().patience().toSeconds() + " seconds; requests of other peers arrived");
                }
            }
        }
    }

    private static boolean place(CmEvent event, @Nullable ConnectionId[] called) {
        byte[] data = event.parameters().orElseThrow().privateData();
        int index = data.length < Integer.BYTES ? -1 : ByteBuffer.wrap(data).getInt();
        if (index < 0 || index >= called.length || called[index] != null) {
            return false;
        }
        called[index] = event.id();
        return true;
    }

    /** Parses the line in which the server sent its IP address and port. */
    static InetSocketAddress addressIn(String line) throws ToolException {
        String[] parts = line.startsWith(AT) ? line.substring(AT.length()).split(" ", -1) : new String[0];
        try {
            if (parts.length == 2) {
                return new InetSocketAddress(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
            }
        } catch (IllegalArgumentException wrong) {
            throw new ToolException("the other end listens at '" + line + "': " + wrong.getMessage());
        }
        throw new ToolException("the other end sent '" + line + "' instead of its address");
    }

    @Override
    public void begin() {
        // A server starts no connections: the client starts them, and `connect` accepts them.
    }

    @Override
    public void connect(int index, QpEndpoint other) throws VerbsException {
        ids().get(index).accept(parameters(index));
    }

    @Override
    public void close() throws VerbsException {
        listener.close();
        super.close();
    }
}
