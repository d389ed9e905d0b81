// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.cm.engine.CmConnection;
import dev.verbena.sim.cm.engine.CmService;
import dev.verbena.sim.cm.engine.ReceivedSidrRequest;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Implements an rdma_cm ID: executes the application's calls in the states that permit them. {@link IdConnection} handles
 * its connection. The {@link CmLock} guards the fields. No thread modifies the queue pair under this lock.
 */
final class SimConnectionId implements ConnectionId {
    private final CmLock lock;
    private final SimRuntime runtime;
    private final CmAgents agents;
    private final PortTable ports;
    private final PortSpace portSpace;
    private final IdLife life;
    private final IdAddress address;
    private final IdQueuePair queuePair;
    private final IdResolution resolution;
    private final IdGroups groups;
    private final IdProtocol protocol;

    private @Nullable Object context;

    /** Creates an unbound id. Call only with the lock. */
    SimConnectionId(
            CmLock lock,
            SimRuntime runtime,
            CmAgents agents,
            PortTable ports,
            SimEventChannel channel,
            PortSpace portSpace,
            @Nullable Object context) {
        this.lock = lock;
        this.runtime = runtime;
        this.agents = agents;
        this.ports = ports;
        this.portSpace = portSpace;
        this.life = new IdLife(this, lock, channel);
        this.address = new IdAddress(agents, ports, life);
        this.queuePair = new IdQueuePair(lock, life, address);
        this.resolution = new IdResolution(runtime, lock, life, address);
        this.groups = new IdGroups(lock, life, address, queuePair);
        this.protocol = switch (portSpace) {
            case TCP, IB -> new IdConnection(lock, runtime, life, address, queuePair);
            case UDP, IPOIB -> new IdServiceResolution(lock, runtime, life, address, queuePair);
        };
        this.context = context;
    }

    @Override
    public @Nullable Object context() {
        return lock.<@Nullable Object, RuntimeException>call(() -> context);
    }

    @Override
    public void setContext(@Nullable Object newContext) {
        lock.run(() -> context = newContext);
    }

    @Override
    public PortSpace portSpace() {
        return portSpace;
    }

    @Override
    public Optional<Device> device() {
        return lock.call(() -> address.agent().map(agent -> agent.device().context()));
    }

    @Override
    public int port() {
        return lock.call(() -> address.agent().isPresent() ? QpDriver.PORT : 0);
    }

    @Override
    public Optional<InetSocketAddress> localAddress() {
        return lock.call(address::local);
    }

    @Override
    public Optional<InetSocketAddress> peerAddress() {
        return lock.call(address::peer);
    }

    @Override
    public Optional<QueuePair> queuePair() {
        return lock.call(queuePair::open);
    }

    @Override
    public void bind(InetSocketAddress newAddress) throws VerbsException {
        lock.run(() -> {
            life.require("rdma_bind_addr", "an id is bound once", IdState.IDLE);
            address.bind("rdma_bind_addr", newAddress);
            life.enter(IdState.ADDR_BOUND);
        });
    }

    @Override
    public void listen(int backlog) throws VerbsException {
        lock.run(() -> {
            life.require("rdma_listen", "call bind first", IdState.ADDR_BOUND);
            address.listen(service(), backlog);
        });
    }

    @Override
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws VerbsException {
        String verb = "rdma_resolve_addr";
        lock.run(() -> {
            life.require(verb, "an address can be resolved once, before listen", IdState.IDLE, IdState.ADDR_BOUND);
            address.bindSource(verb, life.state() == IdState.ADDR_BOUND, source, destination);
            resolution.address(destination, timeout);
        });
    }

    @Override
    public void resolveRoute(Duration timeout) throws VerbsException {
        lock.run(() -> {
            life.require("rdma_resolve_route", "wait for ADDR_RESOLVED first", IdState.ADDR_RESOLVED);
            resolution.route(timeout);
        });
    }

    @Override
    public QueuePair createQp(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException {
        return queuePair.create(domain, attributes, lock.call(protocol::queuePairTypes));
    }

    private CmService service() {
        return switch (portSpace) {
            case TCP, IB -> new CmService.Connections((connection, _) -> onRequest(connection));
            case UDP, IPOIB -> new CmService.Datagrams(this::onRequest);
        };
    }

    private void onRequest(CmConnection connection) {
        agents.of(connection).ifPresent(agent -> {
            SimConnectionId made = newRequestId();
            if (made.protocol instanceof IdConnection target) {
                life.announce(made.life, target.ofRequest(connection, agent));
            }
        });
    }

    private void onRequest(ReceivedSidrRequest request) {
        agents.of(request).ifPresent(agent -> {
            SimConnectionId made = newRequestId();
            if (made.protocol instanceof IdServiceResolution target) {
                life.announce(made.life, target.ofRequest(request, agent));
            }
        });
    }

    private SimConnectionId newRequestId() {
        return new SimConnectionId(lock, runtime, agents, ports, life.channel(), portSpace, context);
    }

    @Override
    public void connect(ConnectionParameters parameters) throws VerbsException {
        protocol.connect(parameters);
    }

    @Override
    public void accept(ConnectionParameters parameters) throws VerbsException {
        protocol.accept(parameters);
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        protocol.reject(privateData);
    }

    @Override
    public void establish() throws VerbsException {
        protocol.establish();
    }

    @Override
    public QpAttributes initQpAttributes(QpState state) throws VerbsException {
        return protocol.initQpAttributes(state);
    }

    @Override
    public void notifyEstablished() throws VerbsException {
        protocol.notifyEstablished();
    }

    @Override
    public void disconnect() throws VerbsException {
        protocol.disconnect();
    }

    @Override
    public void joinMulticast(InetAddress group, MulticastRole role, @Nullable Object groupContext)
            throws VerbsException {
        groups.join(group, role, groupContext);
    }

    @Override
    public void leaveMulticast(InetAddress group) throws VerbsException {
        groups.leave(group);
    }

    @Override
    public void setTypeOfService(int typeOfService) throws VerbsException {
        String verb = "rdma_set_option(TOS)";
        if (typeOfService < 0 || typeOfService > 0xFF) {
            throw new VerbsException(Errno.EINVAL, verb, "type of service is " + typeOfService + ", legal is 0 to 255");
        }
        lock.run(() -> {
            life.requireOpen(verb);
            address.setTypeOfService(typeOfService);
        });
    }

    @Override
    public void setReuseAddress(boolean reuse) throws VerbsException {
        lock.run(() -> {
            String verb = "rdma_set_option(REUSEADDR)";
            life.requireOpen(verb);
            if (reuse && life.state() == IdState.LISTEN) {
                throw life.wrongState(verb, "a listening id cannot share its port; set the option before listen");
            }
            address.setReuse(reuse);
        });
    }

    @Override
    public void setIpv6Only(boolean only) throws VerbsException {
        lock.run(() -> {
            life.require(
                    "rdma_set_option(AFONLY)",
                    "set the option before the id listens or resolves an address",
                    IdState.IDLE,
                    IdState.ADDR_BOUND);
            address.setIpv6Only(only);
        });
    }

    @Override
    public void setAckTimeout(AckTimeout timeout) throws VerbsException {
        protocol.setAckTimeout(timeout);
    }

    @Override
    public void migrate(EventChannel newChannel) throws VerbsException {
        String verb = "rdma_migrate_id";
        lock.run(() -> {
            life.requireOpen(verb);
            SimEventChannel target = SimEventChannel.require(verb, newChannel, lock);
            for (SimCmEvent event : life.channel().remove(life)) {
                event.life().moveTo(target);
                target.add(event);
            }
            life.moveTo(target);
        });
    }

    @Override
    public void close() throws VerbsException {
        String verb = "rdma_destroy_id";
        lock.run(() -> {
            if (life.state() == IdState.CLOSED) {
                return;
            }
            if (queuePair.open().isPresent()) {
                throw new VerbsException(Errno.EBUSY, verb, this + " has an open queue pair; close that first");
            }
            if (life.unacknowledged() > 0) {
                throw new VerbsException(
                        Errno.EBUSY,
                        verb,
                        this + " has unacknowledged events: " + life.unacknowledged() + "; close them first");
            }
            destroy();
        });
    }

    private void destroy() {
        life.enter(IdState.CLOSED);
        resolution.end();
        address.release();
        if (life.listener() != null) {
            agents.removeListener(life.listener());
        }
        for (SimCmEvent event : life.channel().remove(life)) {
            if (event.id() instanceof SimConnectionId request && request != this) {
                // Without the CONNECT_REQUEST event the application cannot accept the request, so it is rejected.
                request.destroy();
            }
        }
        life.channel().idRemoved();
        protocol.destroy();
    }

    @Override
    public String toString() {
        return lock.call(() -> "id " + address + " in state " + life.state() + protocol.describeState());
    }
}
