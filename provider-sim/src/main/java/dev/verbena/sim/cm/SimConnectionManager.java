package dev.verbena.sim.cm;

import dev.verbena.cm.CmCapability;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of a provider of software devices: rdma_cm over MADs on QP1.
 *
 * <p>The manager answers for every device of its directory from the time it first finds the device. It searches the
 * directory when the manager or an id is made. A request without a listener is rejected. One lock guards the manager
 * and all objects that it made. The lock is never held while a MAD is sent, a queue pair is moved, or a handler runs,
 * so that any of these may call the connection manager.
 *
 * <p>Ids of port space TCP have RC queue pairs. Those of UDP have UD queue pairs and may join multicast groups. Those
 * of IB have RC or UC queue pairs. IPOIB fails with {@code EOPNOTSUPP}.
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
    private final CmDirectory directory;
    private final CmLock lock = new CmLock();
    private final CmCounters counters = new CmCounters();
    private final List<CmAgent> agents = new ArrayList<>();
    /** The devices of the directory when the agents were last updated. */
    private List<CmDevice> met = List.of();

    private final List<CmListener> wildcardListeners = new ArrayList<>();
    private final Map<PortSpace, PortTable> ports = new EnumMap<>(PortSpace.class);

    /**
     * Makes a connection manager that answers for the present devices.
     *
     * @param runtime the runtime of the devices
     * @param directory the devices
     */
    public SimConnectionManager(SimRuntime runtime, CmDirectory directory) {
        this.runtime = runtime;
        this.directory = directory;
        for (PortSpace portSpace : PortSpace.values()) {
            ports.put(portSpace, new PortTable(runtime.newRandom("cm ports of " + portSpace)));
        }
        lock.run(this::meetDevices);
    }

    @Override
    public Set<CmCapability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public EventChannel createEventChannel() {
        return new SimEventChannel(this, runtime, lock);
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
            SimEventChannel simChannel = requireOwn(verb, channel);
            meetDevices();
            return new SimConnectionId(this, simChannel, portSpace, context);
        });
    }

    /**
     * Reads the counters of all devices together.
     *
     * @return the present values
     */
    public CmStatistics statistics() {
        return lock.call(counters::snapshot);
    }

    /** Fails unless a channel was made here and is open. Call only with the lock. */
    SimEventChannel requireOwn(String verb, EventChannel channel) throws VerbsException {
        if (!(channel instanceof SimEventChannel simChannel) || simChannel.manager() != this) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "the channel is not of this connection manager; use its createEventChannel");
        }
        if (simChannel.isClosed()) {
            throw new VerbsException(Errno.EBADF, verb, "the event channel is closed");
        }
        return simChannel;
    }

    private void meetDevices() {
        List<CmDevice> present = directory.devices();
        if (present.equals(met)) {
            return;
        }
        Set<CmDevice> before = agents.stream().map(CmAgent::device).collect(Collectors.toSet());
        Set<CmDevice> now = Set.copyOf(present);
        agents.removeIf(agent -> !now.contains(agent.device()));
        for (CmDevice device : present) {
            if (!before.contains(device)) {
                CmAgent agent = new CmAgent(device, runtime, lock, counters);
                agents.add(agent);
                wildcardListeners.forEach(agent.engine()::addListener);
                lock.afterUnlock(agent::start);
            }
        }
        met = List.copyOf(present);
    }

    CmLock lock() {
        return lock;
    }

    long now() {
        return runtime.nanoTime();
    }

    Alarm newAlarm(Runnable expired) {
        return runtime.newAlarm(expired);
    }

    PortTable ports(PortSpace portSpace) {
        return Objects.requireNonNull(ports.get(portSpace));
    }

    Optional<CmAgent> agentWith(Gid address) {
        return agents.stream()
                .filter(agent -> agent.device().addresses().contains(address))
                .findFirst();
    }

    /** {@return the device whose engine made an exchange, if it still exists} */
    Optional<CmAgent> agentOf(CmExchange exchange) {
        return agents.stream().filter(agent -> agent == exchange.output()).findFirst();
    }

    /** {@return the devices in the order of preference} */
    List<CmAgent> agents() {
        return agents;
    }

    /**
     * Begins to listen.
     *
     * @param listener the listener
     * @param agent the device to listen on, or null for all, including those added later
     */
    void addListener(CmListener listener, @Nullable CmAgent agent) {
        if (agent != null) {
            agent.engine().addListener(listener);
        } else {
            wildcardListeners.add(listener);
            agents.forEach(each -> each.engine().addListener(listener));
        }
    }

    void removeListener(CmListener listener) {
        wildcardListeners.remove(listener);
        agents.forEach(each -> each.engine().removeListener(listener));
    }
}
