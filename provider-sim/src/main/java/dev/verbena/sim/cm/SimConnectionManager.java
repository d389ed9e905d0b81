// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmCapability;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.cm.engine.CmCounters;
import dev.verbena.sim.cm.engine.CmStatistics;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Implements rdma_cm for the software devices of one provider by exchanging MADs on QP1.
 *
 * <p>The connection manager reads the list of devices from the {@link CmDirectory} when the connection manager or an
 * rdma_cm ID is created. It handles the CM messages that later arrive at the listed devices. A connection request without a
 * listener is rejected. One lock guards the connection manager and all objects that it created. No thread holds this lock
 * while it sends a MAD, modifies a queue pair or runs a handler. A handler, for example, may call the connection manager.
 *
 * <p>An rdma_cm ID of port space TCP has an RC queue pair. An rdma_cm ID of port space UDP has a UD queue pair and may
 * join multicast groups. An rdma_cm ID of port space IB has an RC or UC queue pair. Creating an rdma_cm ID of port
 * space IPOIB fails with {@code EOPNOTSUPP}.
 */
public final class SimConnectionManager implements ConnectionManager {
    private static final Set<CmCapability> CAPABILITIES = Collections.unmodifiableSet(EnumSet.of(
            CmCapability.REJECT,
            CmCapability.ACCEPT_PRIVATE_DATA,
            CmCapability.DATAGRAM,
            CmCapability.MULTICAST,
            CmCapability.IB_PORT_SPACE,
            CmCapability.IPV6,
            CmCapability.EXTERNAL_QP,
            CmCapability.MIGRATE,
            CmCapability.OPTIONS));

    private final SimRuntime runtime;
    private final CmLock lock = new CmLock();
    private final CmCounters counters = new CmCounters();
    private final CmAgents agents;
    private final Map<PortSpace, PortTable> ports = new EnumMap<>(PortSpace.class);

    public SimConnectionManager(SimRuntime runtime, CmDirectory directory) {
        this.runtime = runtime;
        this.agents = new CmAgents(runtime, directory, lock, counters);
        for (PortSpace portSpace : PortSpace.values()) {
            ports.put(portSpace, new PortTable(runtime.newRandom("cm ports of " + portSpace)));
        }
        lock.run(agents::update);
    }

    @Override
    public Set<CmCapability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public EventChannel createEventChannel() {
        return new SimEventChannel(runtime, lock);
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace portSpace, @Nullable Object context)
            throws VerbsException {
        String verb = "rdma_create_id";
        if (portSpace == PortSpace.IPOIB) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "the software device has no port space IPOIB, as there is no IP over InfiniBand on Ethernet; use UDP");
        }
        return lock.call(() -> {
            SimEventChannel own = SimEventChannel.require(verb, channel, lock);
            agents.update();
            PortTable table = Objects.requireNonNull(ports.get(portSpace));
            return new SimConnectionId(lock, runtime, agents, table, own, portSpace, context);
        });
    }

    /** Returns the sum of the counters of all devices. */
    public CmStatistics statistics() {
        return lock.call(counters::snapshot);
    }
}
