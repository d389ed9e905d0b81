package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An id: what the user may do when, and what the engine's indications mean for the user and the queue pair. Its fields are
 * guarded by the manager's lock. Its address, its queue pair and its talk with the peer have a class each.
 */
final class SimConnectionId implements ConnectionId, CmEndpoint {
    private final SimConnectionManager manager;
    private final CmOutbox outbox;
    private final IdAddress address;
    private final IdQueuePair queuePair;
    private final IdDialogue dialogue;

    private IdState state = IdState.IDLE;
    private SimEventChannel channel;
    private @Nullable Object context;
    private @Nullable CmListener listener;
    private int unacknowledged;

    /** Makes an id that is bound to nothing. Under the lock. */
    SimConnectionId(SimConnectionManager manager, SimEventChannel channel, @Nullable Object context) {
        this.manager = manager;
        this.outbox = manager.outbox();
        this.address = new IdAddress(manager, this);
        this.queuePair = new IdQueuePair(this, outbox, address);
        this.dialogue = new IdDialogue(this, manager, address);
        this.channel = channel;
        this.context = context;
        channel.idAdded();
    }

    /** Makes the id of a CONNECT_REQUEST. Under the lock. */
    private SimConnectionId(SimConnectionId listening, CmConnection connection, CmAgent agent) {
        this(listening.manager, listening.channel, listening.context);
        this.state = IdState.CONNECT;
        dialogue.ofRequest(connection);
        address.ofRequest(connection.request(), agent);
    }

    // What can be asked at any time.

    @Override
    public @Nullable Object context() {
        return outbox.<@Nullable Object, RuntimeException>call(() -> context);
    }

    @Override
    public void setContext(@Nullable Object newContext) {
        outbox.run(() -> context = newContext);
    }

    @Override
    public PortSpace portSpace() {
        return PortSpace.TCP;
    }

    @Override
    public Optional<Device> device() {
        return outbox.call(() -> address.agent().map(agent -> agent.device().context()));
    }

    @Override
    public int port() {
        return outbox.call(() -> address.agent().isPresent() ? QpDriver.PORT : 0);
    }

    @Override
    public Optional<InetSocketAddress> localAddress() {
        return outbox.call(address::local);
    }

    @Override
    public Optional<InetSocketAddress> peerAddress() {
        return outbox.call(address::peer);
    }

    @Override
    public Optional<QueuePair> queuePair() {
        return outbox.call(this::openQueuePair);
    }

    // Addresses.

    @Override
    public void bind(InetSocketAddress newAddress) throws VerbsException {
        outbox.run(() -> {
            require("rdma_bind_addr", "an id is bound once", IdState.IDLE);
            address.bind("rdma_bind_addr", newAddress);
            state = IdState.ADDR_BOUND;
        });
    }

    @Override
    public void listen(int backlog) throws VerbsException {
        outbox.run(() -> {
            require("rdma_listen", "call bind first", IdState.ADDR_BOUND);
            listener = address.listen(backlog);
            state = IdState.LISTEN;
        });
    }

    @Override
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws VerbsException {
        String verb = "rdma_resolve_addr";
        outbox.run(() -> {
            require(verb, "an address is resolved once, before listening", IdState.IDLE, IdState.ADDR_BOUND);
            address.bindSource(verb, state == IdState.ADDR_BOUND, source, destination);
            state = IdState.ADDR_BOUND;
            int error = address.resolve(destination);
            if (error == 0) {
                state = IdState.ADDR_RESOLVED;
                emit(CmEventType.ADDR_RESOLVED, 0);
            } else {
                emit(CmEventType.ADDR_ERROR, error);
            }
        });
    }

    @Override
    public void resolveRoute(Duration timeout) throws VerbsException {
        outbox.run(() -> {
            require("rdma_resolve_route", "wait for ADDR_RESOLVED first", IdState.ADDR_RESOLVED);
            state = IdState.ROUTE_RESOLVED;
            emit(CmEventType.ROUTE_RESOLVED, 0);
        });
    }

    @Override
    public QueuePair createQp(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException {
        return queuePair.create(domain, attributes);
    }

    /** {@return the device} Under the lock. */
    CmAgent requireDevice(String verb) throws VerbsException {
        if (state == IdState.CLOSED) {
            throw wrongState(verb, "make a new id");
        }
        return address.agent()
                .orElseThrow(() -> wrongState(verb, "the id has no device yet; bind or resolve an address first"));
    }

    /** {@return the queue pair, if there is one that has not been closed} Under the lock. */
    Optional<QueuePair> openQueuePair() {
        return queuePair.open();
    }

    // Connecting.

    @Override
    public void connect(ConnectionParameters parameters) throws VerbsException {
        dialogue.connect(parameters);
    }

    @Override
    public void accept(ConnectionParameters parameters) throws VerbsException {
        dialogue.accept(parameters);
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        dialogue.reject(privateData);
    }

    @Override
    public void establish() throws VerbsException {
        dialogue.establish();
    }

    @Override
    public void notifyEstablished() throws VerbsException {
        dialogue.notifyEstablished();
    }

    @Override
    public void disconnect() throws VerbsException {
        dialogue.disconnect();
    }

    @Override
    public void setAckTimeout(AckTimeout timeout) throws VerbsException {
        dialogue.setAckTimeout(timeout);
    }

    // What the engine says.

    @Override
    public void onIndication(CmConnection subject, CmIndication indication) {
        if (indication.kind() == CmIndication.Kind.REQUESTED) {
            manager.agentOf(subject.engine()).ifPresent(agent -> onRequest(subject, agent));
        } else {
            outbox.later(() -> new IdReaction(this, dialogue, outbox, subject).to(indication));
        }
    }

    private void onRequest(CmConnection subject, CmAgent agent) {
        SimConnectionId made = new SimConnectionId(this, subject, agent);
        subject.setOwner(made);
        channel.add(new SimCmEvent(
                outbox,
                CmEventType.CONNECT_REQUEST,
                made,
                this,
                0,
                Negotiation.bytes(subject.request().privateData()),
                Negotiation.offered(subject.request())));
    }

    /** The connection has ended; reported once, whichever side began. Under the lock. */
    void disconnected(int status) {
        emit(CmEventType.DISCONNECTED, status);
        if (state == IdState.CONNECT) {
            state = IdState.DISCONNECT;
        }
    }

    /** Reports an event without data. Under the lock. */
    void emit(CmEventType type, int status) {
        emit(type, status, new byte[0], null);
    }

    /** Reports an event, unless it comes too late to mean anything. Under the lock. */
    void emit(CmEventType type, int status, byte[] privateData, @Nullable ConnectionParameters parameters) {
        if (state.reports(type)) {
            channel.add(new SimCmEvent(outbox, type, this, null, status, privateData, parameters));
        }
    }

    // Multicast, options, the end.

    @Override
    public void joinMulticast(InetAddress group, MulticastRole role, @Nullable Object groupContext)
            throws VerbsException {
        throw noMulticast("rdma_join_multicast", group);
    }

    @Override
    public void leaveMulticast(InetAddress group) throws VerbsException {
        throw noMulticast("rdma_leave_multicast", group);
    }

    private static VerbsException noMulticast(String verb, InetAddress group) {
        return new VerbsException(
                Errno.EOPNOTSUPP,
                verb,
                "an id of port space TCP cannot be in multicast group " + group.getHostAddress()
                        + "; groups are for datagrams");
    }

    @Override
    public void setTypeOfService(int typeOfService) throws VerbsException {
        String verb = "rdma_set_option(TOS)";
        if (typeOfService < 0 || typeOfService > 0xFF) {
            throw new VerbsException(Errno.EINVAL, verb, "type of service is " + typeOfService + ", legal is 0 to 255");
        }
        outbox.run(() -> {
            require(
                    verb,
                    "set it before the route is resolved",
                    IdState.IDLE,
                    IdState.ADDR_BOUND,
                    IdState.ADDR_RESOLVED);
            address.setTypeOfService(typeOfService);
        });
    }

    @Override
    public void setReuseAddress(boolean reuse) throws VerbsException {
        outbox.run(() -> {
            require("rdma_set_option(REUSEADDR)", "set it before the id is bound", IdState.IDLE);
            address.setReuse(reuse);
        });
    }

    @Override
    public void setIpv6Only(boolean only) throws VerbsException {
        outbox.run(() -> {
            require("rdma_set_option(AFONLY)", "set it before the id is bound", IdState.IDLE);
            address.setIpv6Only(only);
        });
    }

    @Override
    public void migrate(EventChannel newChannel) throws VerbsException {
        String verb = "rdma_migrate_id";
        outbox.run(() -> {
            if (state == IdState.CLOSED) {
                throw wrongState(verb, "make a new id");
            }
            SimEventChannel target = manager.requireOwn(verb, newChannel);
            for (SimCmEvent event : channel.remove(this)) {
                event.simId().moveTo(target);
                target.add(event);
            }
            moveTo(target);
        });
    }

    private void moveTo(SimEventChannel target) {
        if (channel != target) {
            channel.idRemoved();
            target.idAdded();
            channel = target;
        }
    }

    @Override
    public void close() throws VerbsException {
        String verb = "rdma_destroy_id";
        outbox.run(() -> {
            if (state == IdState.CLOSED) {
                return;
            }
            if (openQueuePair().isPresent()) {
                throw new VerbsException(Errno.EBUSY, verb, this + " has an open queue pair; close that first");
            }
            if (unacknowledged > 0) {
                throw new VerbsException(
                        Errno.EBUSY,
                        verb,
                        this + " has unacknowledged events: " + unacknowledged + "; close them first");
            }
            destroy();
        });
    }

    private void destroy() {
        state = IdState.CLOSED;
        address.release();
        if (listener != null) {
            manager.removeListener(listener);
        }
        for (SimCmEvent event : channel.remove(this)) {
            if (event.simId() != this) {
                // A request that nobody has seen: its peer is refused.
                event.simId().destroy();
            }
        }
        channel.idRemoved();
        dialogue.destroy();
    }

    /** Counts events that the user has taken and not closed. Under the lock. */
    void unacknowledged(int change) {
        unacknowledged += change;
    }

    /** {@return the state} Under the lock. */
    IdState state() {
        return state;
    }

    /** The id is part of a connection from here on. Under the lock. */
    void connecting() {
        state = IdState.CONNECT;
    }

    /** {@return whether the id waits for requests} */
    boolean isListening() {
        return state == IdState.LISTEN;
    }

    IdAddress address() {
        return address;
    }

    /** Refuses a verb in any state but those. Under the lock. */
    void require(String verb, String cure, IdState... allowed) throws VerbsException {
        for (IdState each : allowed) {
            if (state == each) {
                return;
            }
        }
        throw wrongState(verb, cure);
    }

    /** {@return the refusal of a verb in a state that does not allow it} Under the lock. */
    VerbsException wrongState(String verb, String cure) {
        return new VerbsException(Errno.EINVAL, verb, this + ": " + cure);
    }

    @Override
    public String toString() {
        return outbox.call(() -> "id " + address + " in state " + state + dialogue);
    }
}
