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
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An id: what the user may do when, and what the engine's indications mean for the user and the queue pair. Its fields are
 * guarded by the manager's lock; its queue pair is moved without it.
 */
final class SimConnectionId implements ConnectionId, CmEndpoint {
    private final SimConnectionManager manager;
    private final CmOutbox outbox;
    private final IdAddress address;
    private final IdQueuePair queuePair;

    private IdState state = IdState.IDLE;
    private SimEventChannel channel;
    private @Nullable Object context;
    private @Nullable CmListener listener;
    private @Nullable CmConnection connection;
    private @Nullable AckTimeout ackTimeout;
    private boolean answering;
    private int unacknowledged;

    /** Makes an id that is bound to nothing. Under the lock. */
    SimConnectionId(SimConnectionManager manager, SimEventChannel channel, @Nullable Object context) {
        this.manager = manager;
        this.outbox = manager.outbox();
        this.address = new IdAddress(manager, this);
        this.queuePair = new IdQueuePair(this, outbox, address);
        this.channel = channel;
        this.context = context;
        channel.idAdded();
    }

    /** Makes the id of a CONNECT_REQUEST. Under the lock. */
    private SimConnectionId(SimConnectionId listening, CmConnection connection, CmAgent agent) {
        this(listening.manager, listening.channel, listening.context);
        this.connection = connection;
        this.state = IdState.CONNECT;
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
        String verb = "rdma_connect";
        MemorySegment privateData =
                Negotiation.privateData(verb, parameters.privateData(), CmMessages.REQUEST_PRIVATE_DATA);
        outbox.run(() -> {
            require(verb, "wait for ROUTE_RESOLVED first", IdState.ROUTE_RESOLVED);
            CmAgent agent = address.agent().orElseThrow();
            RequestParameters request =
                    Negotiation.request(parameters, privateData, openQueuePair(), agent.device(), address, ackTimeout);
            connection = agent.engine().connect(request, this, agent.now());
            state = IdState.CONNECT;
        });
    }

    @Override
    public void accept(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_accept";
        MemorySegment privateData =
                Negotiation.privateData(verb, parameters.privateData(), CmReply.PRIVATE_DATA_LENGTH);
        IdAnswer answer = outbox.call(() -> {
            CmConnection asked = requireUnanswered(verb);
            CmAgent agent = address.agent().orElseThrow();
            ReplyParameters reply =
                    Negotiation.reply(parameters, privateData, openQueuePair(), agent.device(), asked.request());
            answering = true;
            return answer(asked, reply, agent);
        });
        try {
            answer.moveQueuePair(verb);
        } catch (VerbsException e) {
            outbox.run(() -> {
                answering = false;
                answer.connection().reject(MemorySegment.NULL);
            });
            throw e;
        }
        outbox.run(() -> {
            answering = false;
            if (!answer.connection().accept(answer.reply(), manager.now())) {
                throw wrongState(verb, "the peer has given up, or the id was closed, meanwhile");
            }
        });
    }

    /** {@return what the REP that came means for the queue pair} Under the lock. */
    Optional<IdAnswer> answer(CmConnection subject) {
        ReplyParameters reply = subject.reply();
        return reply == null ? Optional.empty() : address.agent().map(agent -> answer(subject, reply, agent));
    }

    private IdAnswer answer(CmConnection subject, ReplyParameters reply, CmAgent agent) {
        AckTimeout timeout =
                ackTimeout == null ? AckTimeout.ofCode(subject.request().ackTimeout()) : ackTimeout;
        return new IdAnswer(
                subject, reply, openQueuePair(), QpDriver.attributes(subject, reply, agent.device(), timeout));
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        String verb = "rdma_reject";
        MemorySegment data = Negotiation.privateData(verb, privateData, CmReject.PRIVATE_DATA_LENGTH);
        outbox.run(() -> requireUnanswered(verb).reject(data));
    }

    private CmConnection requireUnanswered(String verb) throws VerbsException {
        require(verb, "it takes the id of a CONNECT_REQUEST", IdState.CONNECT);
        if (connection == null || connection.state() != CmState.REQ_RCVD || answering) {
            throw wrongState(verb, "it takes the id of a CONNECT_REQUEST that was not answered yet");
        }
        return connection;
    }

    @Override
    public void establish() throws VerbsException {
        outbox.run(() -> {
            if (openQueuePair().isPresent() || connection == null || !connection.establish()) {
                throw wrongState("rdma_establish", "it takes an id without queue pair after CONNECT_RESPONSE");
            }
        });
    }

    @Override
    public void notifyEstablished() throws VerbsException {
        outbox.run(() -> {
            if (connection == null || !connection.notifyEstablished()) {
                throw wrongState("rdma_notify", "it takes an id that was accepted");
            }
        });
    }

    @Override
    public void disconnect() throws VerbsException {
        String verb = "rdma_disconnect";
        Optional<QueuePair> present = outbox.call(() -> {
            require(verb, "there is no connection to end", IdState.CONNECT, IdState.DISCONNECT);
            if (state == IdState.CONNECT && !wasEstablished()) {
                throw wrongState(verb, "the connection does not stand; close the id instead");
            }
            return openQueuePair();
        });
        present.ifPresent(QpDriver::fail);
        outbox.run(() -> {
            if (connection != null) {
                connection.disconnect(manager.now());
            }
        });
    }

    private boolean wasEstablished() {
        return connection != null
                && switch (connection.state()) {
                    case ESTABLISHED, DREQ_SENT, DREQ_RCVD, TIMEWAIT -> true;
                    case IDLE, REQ_SENT, REQ_RCVD, REP_SENT, REP_RCVD -> false;
                };
    }

    // What the engine says.

    @Override
    public void onIndication(CmConnection subject, CmIndication indication) {
        if (indication.kind() == CmIndication.Kind.REQUESTED) {
            manager.agentOf(subject.engine()).ifPresent(agent -> onRequest(subject, agent));
        } else {
            outbox.later(() -> new IdReaction(this, outbox, subject).to(indication));
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
    public void setAckTimeout(AckTimeout timeout) throws VerbsException {
        outbox.run(() -> {
            boolean asked = connection != null && connection.state() == CmState.REQ_RCVD && !answering;
            if (!asked) {
                require(
                        "rdma_set_option(ACK_TIMEOUT)",
                        "set it before connecting",
                        IdState.IDLE,
                        IdState.ADDR_BOUND,
                        IdState.ADDR_RESOLVED,
                        IdState.ROUTE_RESOLVED);
            }
            ackTimeout = timeout;
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
        if (connection != null) {
            connection.destroy(manager.now());
        }
    }

    /** Counts events that the user has taken and not closed. Under the lock. */
    void unacknowledged(int change) {
        unacknowledged += change;
    }

    /** {@return whether the id waits for requests} */
    boolean isListening() {
        return state == IdState.LISTEN;
    }

    IdAddress address() {
        return address;
    }

    private void require(String verb, String cure, IdState... allowed) throws VerbsException {
        for (IdState each : allowed) {
            if (state == each) {
                return;
            }
        }
        throw wrongState(verb, cure);
    }

    private VerbsException wrongState(String verb, String cure) {
        return new VerbsException(Errno.EINVAL, verb, this + ": " + cure);
    }

    @Override
    public String toString() {
        return outbox.call(
                () -> "id " + address + " in state " + state + (connection == null ? "" : "/" + connection.state()));
    }
}
