// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/** Queue pairs that client and server connect by exchanging their attributes over TCP. */
final class ExchangeWiring implements Wiring {
    private final Device device;
    private final PerftestSettings settings;
    private final List<QpConnector> connectors = new ArrayList<>();

    ExchangeWiring(Device device, PerftestSettings settings) {
        this.device = device;
        this.settings = settings;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public QueuePair create(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException {
        QueuePair queuePair = domain.createQp(attributes);
        try {
            connectors.add(QpConnector.builder(queuePair)
                    .port(settings.port())
                    .gid(settings.gid())
                    .pathMtu(settings.mtu())
                    .ackTimeout(settings.ackTimeout())
                    .access(settings.verb().access().toArray(AccessFlag[]::new))
                    .build());
            return queuePair;
        } catch (VerbsException | RuntimeException e) {
            try (queuePair) {
                throw e;
            }
        }
    }

    @Override
    public void begin() throws VerbsException {
        for (QpConnector connector : connectors) {
            connector.initialize();
        }
    }

    @Override
    public QpEndpoint local(int index) {
        return connectors.get(index).local();
    }

    @Override
    public void connect(int index, QpEndpoint other) throws VerbsException {
        connectors.get(index).connect(other);
    }

    @Override
    public void await() {
        // This method does nothing, because each queue pair was connected when the attributes of its peer arrived.
    }

    @Override
    public void close() {
        connectors.clear();
    }
}
