// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Queue pairs that rdma_cm connects (option {@code -R}): the client connects, and the server listens. */
abstract class CmWiring implements Wiring {
    private static final int RETRIES = 7;

    private final PerftestSettings settings;
    private final ConnectionManager manager;
    private final EventChannel channel;
    private final List<ConnectionId> ids = new ArrayList<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();

    CmWiring(ConnectionManager manager, PerftestSettings settings) throws VerbsException {
        this.settings = settings;
        this.manager = manager;
        channel = manager.createEventChannel();
    }

    final PerftestSettings settings() {
        return settings;
    }

    final ConnectionId newId() throws VerbsException {
        return manager.createId(channel, PortSpace.TCP, null);
    }

    /** The connection ids, one for each queue pair, in the order of the queue pairs. */
    final List<ConnectionId> ids() {
        return ids;
    }

    /** Handles a CM event, before the event is acknowledged. */
    @FunctionalInterface
    interface Look {
        void at(CmEvent event) throws ToolException;
    }

    /** Waits for one CM event of the given type; an event of another type is a failure. */
    final void expect(CmEventType wanted, Look look) throws VerbsException, ToolException, InterruptedException {
        try (CmEvent event = channel.await(settings.patience())
                .orElseThrow(() -> new ToolException("rdma_cm: no " + wanted + " within "
                        + settings.patience().toSeconds() + " seconds"))) {
            if (event.type() != wanted) {
                throw new ToolException("rdma_cm: event RDMA_CM_EVENT_" + event.type() + ", error " + event.status()
                        + ", instead of RDMA_CM_EVENT_" + wanted);
            }
            look.at(event);
        }
    }

    final void expect(CmEventType wanted) throws VerbsException, ToolException, InterruptedException {
        expect(wanted, event -> {});
    }

    /** The connection parameters of client and server. The private data contains the queue pair's index in the test. */
    final ConnectionParameters parameters(int index) {
        return ConnectionParameters.builder()
                .responderResources(ConnectionParameters.DEVICE_MAXIMUM)
                .initiatorDepth(ConnectionParameters.DEVICE_MAXIMUM)
                .retryCount(RETRIES)
                .rnrRetryCount(RnrRetryCount.FOREVER)
                .privateData(ByteBuffer.allocate(Integer.BYTES).putInt(index).array())
                .build();
    }

    @Override
    public final Device device() {
        return ids.getFirst().device().orElseThrow();
    }

    @Override
    public final QueuePair create(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException {
        QueuePair queuePair = ids.get(queuePairs.size()).createQp(domain, attributes);
        queuePairs.add(queuePair);
        return queuePair;
    }

    @Override
    public final QpEndpoint local(int index) throws VerbsException {
        // rdma_cm chooses the initial PSN of the queue pair, and reports this PSN to the peer, but not to this process.
        return new QpEndpoint(
                settings.gid().select(device(), settings.port()).gid(),
                0,
                queuePairs.get(index).number(),
                Psn.of(0),
                settings.mtu(),
                0);
    }

    @Override
    public final void await() throws VerbsException, ToolException, InterruptedException {
        for (int i = 0; i < ids.size(); i++) {
            expect(CmEventType.ESTABLISHED);
        }
    }

    @Override
    public void close() throws VerbsException {
        for (ConnectionId id : ids) {
            id.close();
        }
        channel.close();
    }
}
