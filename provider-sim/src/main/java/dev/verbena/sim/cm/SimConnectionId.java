package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An id: the calls of the user and the states that permit them. {@link IdConnection} handles its connection. The
 * manager's lock guards its fields; its queue pair is moved without it.
 */
final class SimConnectionId implements ConnectionId {
    private final SimConnectionManager manager;
    private final PortSpace portSpace;
    private final CmLock lock;
    private final IdLife life;
    private final IdAddress address;
    private final IdQueuePair queuePair;
    private final IdResolution resolution;
    private final IdGroups groups;
    private final IdProtocol protocol;

    private @Nullable Object context;
    private @Nullable CmListener listener;

    /** Makes an unbound id. Call only with the lock. */
    SimConnectionId(
            SimConnectionManager manager, SimEventChannel channel, PortSpace portSpace, @Nullable Object context) {
        this.manager = manager;
        this.portSpace = portSpace;
        this.lock = manager.lock();
        this.life = new IdLife(this, lock, channel);
        this.address = new IdAddress(manager, this);
        this.queuePair = new IdQueuePair(this, lock, address);
        this.resolution = new IdResolution(manager, life, address);
        this.groups = new IdGroups(lock, this, life, address, queuePair);
        this.protocol = IdProtocol.of(manager, this, life, address, queuePair);
        this.context = context;
    }

    /** Makes the id of a CONNECT_REQUEST that this listener received. Call only with the lock. */
    SimConnectionId requested() {
        return new SimConnectionId(manager, life.channel(), portSpace, context);
    }

    // Properties, available at any time.

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

    // Addresses.

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
            listener = address.listen(backlog);
            life.enter(IdState.LISTEN);
        });
    }

    @Override
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws VerbsException {
        String verb = "rdma_resolve_addr";
        lock.run(() -> {
            life.require(verb, "an address is resolved once, before listening", IdState.IDLE, IdState.ADDR_BOUND);
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
        return queuePair.create(domain, attributes);
    }

    /** {@return the device} Call only with the lock. */
    CmAgent requireDevice(String verb) throws VerbsException {
        requireOpen(verb);
        return address.agent()
                .orElseThrow(() -> life.wrongState(verb, "the id has no device yet; bind or resolve an address first"));
    }

    private void requireOpen(String verb) throws VerbsException {
        if (life.state() == IdState.CLOSED) {
            throw life.wrongState(verb, "make a new id");
        }
    }

    // Connecting.

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

    // Multicast, options, destruction.

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
            requireOpen(verb);
            address.setTypeOfService(typeOfService);
        });
    }

    @Override
    public void setReuseAddress(boolean reuse) throws VerbsException {
        lock.run(() -> {
            String verb = "rdma_set_option(REUSEADDR)";
            requireOpen(verb);
            if (reuse && life.state() == IdState.LISTEN) {
                throw life.wrongState(verb, "a listener does not share its port; set it before listen");
            }
            address.setReuse(reuse);
        });
    }

    @Override
    public void setIpv6Only(boolean only) throws VerbsException {
        lock.run(() -> {
            life.require("rdma_set_option(AFONLY)", "set it before the id listens", IdState.IDLE, IdState.ADDR_BOUND);
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
            requireOpen(verb);
            SimEventChannel target = manager.requireOwn(verb, newChannel);
            for (SimCmEvent event : life.channel().remove(this)) {
                event.simId().life().moveTo(target);
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
        if (listener != null) {
            manager.removeListener(listener);
        }
        for (SimCmEvent event : life.channel().remove(this)) {
            if (event.simId() != this) {
                // A request that the user has not seen: its peer is rejected.
                event.simId().destroy();
            }
        }
        life.channel().idRemoved();
        protocol.destroy();
    }

    /** Records that the event of a request that this listener received was taken. Call only with the lock. */
    void requestTaken() {
        if (listener != null) {
            listener.requestTaken();
        }
    }

    /** {@return whether the id accepts requests} */
    boolean isListening() {
        return life.state() == IdState.LISTEN;
    }

    IdAddress address() {
        return address;
    }

    IdLife life() {
        return life;
    }

    IdProtocol protocol() {
        return protocol;
    }

    /** {@return whether the id has a UD queue pair} */
    boolean isForDatagrams() {
        return portSpace == PortSpace.UDP;
    }

    /**
     * {@return the types of queue pairs that the port space and the requesting peer permit} Call only with the lock.
     */
    Set<QpType> queuePairTypes() {
        return protocol.queuePairTypes();
    }

    /** Makes this the id of a CONNECT_REQUEST for a connection. Call only with the lock. */
    void ofRequest(CmConnection connection, CmAgent agent) {
        if (protocol instanceof IdConnection target) {
            target.ofRequest(connection, agent);
        }
    }

    /** Makes this the id of a CONNECT_REQUEST for datagrams. Call only with the lock. */
    void ofSidrRequest(ReceivedSidrRequest request, CmAgent agent) {
        if (protocol instanceof IdServiceResolution target) {
            target.ofSidrRequest(request, agent);
        }
    }

    @Override
    public String toString() {
        return lock.call(() -> "id " + address + " in state " + life.state() + protocol.describeState());
    }
}
