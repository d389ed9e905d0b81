// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import dev.verbena.cm.CmCapability;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Held;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.Undo;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection id of DiSNI. Before a connection id has a device, this class never reads the device context of the
 * connection id. If a connection id has no device, reading its device context makes DiSNI cache a null pointer. Later DiSNI
 * calls for the connection id pass the cached null pointer to libibverbs as the device context.
 */
final class DisniConnectionId implements ConnectionId {
    private static final int REQUEST_DATA = 56;

    private final DisniConnectionManager manager;
    private final RdmaCmId id;
    private final DisniEventChannel channel;
    private final UseGuard guard;
    private final Dependents pending = new Dependents();
    private volatile @Nullable Object context;
    private volatile @Nullable DisniQp queuePair;
    private volatile boolean hasDevice;

    DisniConnectionId(
            DisniConnectionManager manager, RdmaCmId id, DisniEventChannel channel, @Nullable Object context) {
        this.manager = manager;
        this.id = id;
        this.channel = channel;
        this.context = context;
        guard = new UseGuard("id 0x" + Integer.toHexString(System.identityHashCode(id)) + " of DiSNI");
    }

    void apply(CmEventType type) {
        DisniQp qp = queuePair;
        switch (type) {
            case ADDR_RESOLVED, CONNECT_REQUEST -> hasDevice = true;
            case ESTABLISHED -> {
                if (qp != null) {
                    qp.setState(QpState.RTS);
                }
            }
            default -> {
                // The event types without a case in this switch do not change the state of the connection id.
            }
        }
    }

    Dependents pending() {
        return pending;
    }

    boolean isClosed() {
        return guard.isClosed();
    }

    @Override
    public @Nullable Object context() {
        return context;
    }

    @Override
    public void setContext(@Nullable Object newContext) {
        context = newContext;
    }

    @Override
    public PortSpace portSpace() {
        return PortSpace.TCP;
    }

    @Override
    public Optional<Device> device() {
        guard.requireEnter();
        try {
            return hasDevice ? Optional.of(manager.device(id)) : Optional.empty();
        } catch (VerbsException failed) {
            throw new IllegalStateException("the device of " + this + " cannot be used", failed);
        } finally {
            guard.exit();
        }
    }

    /**
     * Returns the device port that has the local IP address. The port is found in sysfs: in the GID tables, or else in
     * {@code dev_port} of the network interface.
     */
    @Override
    public int port() {
        Optional<String> device = device().map(Device::name);
        Optional<InetSocketAddress> local = localAddress();
        return device.isEmpty() || local.isEmpty()
                ? 0
                : manager.files().portOf(device.get(), local.get().getAddress());
    }

    private interface Asking {
        @Nullable SocketAddress ask(RdmaCmId id) throws IOException;
    }

    private Optional<InetSocketAddress> address(Asking asking) {
        guard.requireEnter();
        try {
            return hasDevice && asking.ask(id) instanceof InetSocketAddress known
                    ? Optional.of(known)
                    : Optional.empty();
        } catch (IOException unknown) {
            return Optional.empty();
        } finally {
            guard.exit();
        }
    }

    @Override
    public Optional<InetSocketAddress> localAddress() {
        return address(manager.cm()::getSrcAddr);
    }

    @Override
    public Optional<InetSocketAddress> peerAddress() {
        return address(manager.cm()::getDstAddr);
    }

    /** A call of librdmacm during which no thread can destroy the connection id. */
    private interface Step {
        void make(RdmaCm cm) throws IOException;
    }

    private void step(String verb, Step step) throws VerbsException {
        guard.requireEnter();
        try {
            DisniLibrary.perform(verb, verb + " of " + this, () -> step.make(manager.cm()));
        } finally {
            guard.exit();
        }
    }

    private static void requireIpv4(String verb, InetSocketAddress address) throws VerbsException {
        if (!(address.getAddress() instanceof Inet4Address)) {
            throw DisniLibrary.absent(verb, "support for IPv6 addresses (" + CmCapability.IPV6 + ")");
        }
    }

    /**
     * Binds to an address. For each new connection, DiSNI uses the listener's device. A listener with the wildcard
     * address has no device, so this method refuses the wildcard address.
     */
    @Override
    public void bind(InetSocketAddress address) throws VerbsException {
        String verb = "rdma_bind_addr";
        requireIpv4(verb, address);
        if (address.getAddress().isAnyLocalAddress()) {
            throw Refusals.invalid(
                    verb,
                    "with DiSNI, connections of a wildcard listener have no device; bind to the address of a device");
        }
        step(verb, cm -> cm.bindAddr(id, address));
        hasDevice = true;
    }

    @Override
    public void listen(int backlog) throws VerbsException {
        String verb = "rdma_listen";
        if (!hasDevice) {
            throw Refusals.invalid(verb, this + " is not bound to an address; bind it first");
        }
        step(verb, cm -> cm.listen(id, backlog));
    }

    /**
     * Resolves the destination. The connection id is bound to the source address first, because DiSNI's
     * {@code resolveAddr} ignores the source address.
     */
    @Override
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws VerbsException {
        String verb = "rdma_resolve_addr";
        requireIpv4(verb, destination);
        if (source != null) {
            bind(source);
        }
        step(verb, cm -> cm.resolveAddr(id, source, destination, milliseconds(timeout)));
    }

    @Override
    public void resolveRoute(Duration timeout) throws VerbsException {
        step("rdma_resolve_route", cm -> cm.resolveRoute(id, milliseconds(timeout)));
    }

    private static int milliseconds(Duration timeout) {
        return Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE);
    }

    @Override
    public synchronized QueuePair createQp(ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException {
        String verb = "rdma_create_qp";
        if (queuePair != null) {
            throw Refusals.invalid(verb, this + " has a queue pair already");
        }
        DisniPd own = Refusals.own(DisniPd.class, domain, verb, this);
        if (device().filter(mine -> own.context().isSameAs(((DisniDevice) mine).context()))
                .isEmpty()) {
            throw Refusals.invalid(
                    verb,
                    this + " is not bound to the device of the " + own
                            + "; bind or resolve it first, and use a domain of its device");
        }
        guard.requireEnter();
        try {
            return createQp(verb, own, attributes);
        } finally {
            guard.exit();
        }
    }

    /**
     * Creates the queue pair. The caller must keep the connection id open during the call. If another thread closed the
     * connection id during the call, the queue pair would never be destroyed.
     */
    private DisniQp createQp(String verb, DisniPd own, QpInitAttributes attributes) throws VerbsException {
        QpRules rules = new QpRules(own.device(), own.context(), attributes);
        rules.check();
        DisniCq sendCq = rules.own(attributes.sendCq());
        DisniCq receiveCq = rules.own(attributes.receiveCq());
        IbvQPInitAttr raw = rules.toDisni(sendCq, receiveCq);
        try (Held _ = new Held(own.guard(), sendCq.guard(), receiveCq.guard())) {
            IbvQP made = DisniLibrary.make(
                    verb,
                    verb + " of " + this + " with " + attributes.capabilities(),
                    () -> manager.cm().createQP(id, own.pd(), raw));
            int number = Undo.unlessMade(
                    () -> DisniLibrary.make(verb, "reading the number of a queue pair", made::getQp_num),
                    this::destroyQp);
            QueuePairs queuePairs = ((DisniDevice) own.device()).queuePairs();
            List<Dependents> users = List.of(own.dependents(), sendCq.dependents(), receiveCq.dependents());
            DisniQp qp = new DisniQp(own, queuePairs, users, attributes, made, number, this::destroyQp);
            queuePairs.add(qp);
            users.forEach(each -> each.add(qp));
            queuePair = qp;
            return qp;
        }
    }

    private void destroyQp() throws VerbsException {
        String verb = "rdma_destroy_qp";
        DisniLibrary.destroy(verb, verb + " of " + this, () -> manager.cm().destroyQP(id));
        queuePair = null;
    }

    @Override
    public Optional<QueuePair> queuePair() {
        return Optional.ofNullable(queuePair);
    }

    /**
     * Connects. libdisni ignores the READ depths of {@code parameters}: it sets initiator_depth and responder_resources to
     * the device's max_qp_rd_atom.
     */
    @Override
    public void connect(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_connect";
        byte[] data = parameters.privateData();
        if (data.length > REQUEST_DATA) {
            throw Refusals.invalid(verb, data.length + " bytes of private data; at most " + REQUEST_DATA + " fit");
        }
        requireQueuePair(verb).requireOpen();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(REQUEST_DATA);
            MemorySegment.copy(data, 0, copy, ValueLayout.JAVA_BYTE, 0, data.length);
            step(verb, cm -> {
                RdmaConnParam raw = toDisni(parameters);
                raw.setPrivate_data(copy.address());
                raw.setPrivate_data_len((byte) data.length);
                cm.connect(id, raw);
            });
        }
    }

    /** Accepts the connection. Fails with EOPNOTSUPP if there is private data, because DiSNI would not send it. */
    @Override
    public void accept(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_accept";
        if (parameters.privateData().length > 0) {
            throw DisniLibrary.absent(
                    verb,
                    "private data on accept (" + CmCapability.ACCEPT_PRIVATE_DATA
                            + "), which o2iblnd among others needs");
        }
        DisniQp qp = requireQueuePair(verb);
        step(verb, cm -> cm.accept(id, toDisni(parameters)));
        qp.setState(QpState.RTS);
    }

    private DisniQp requireQueuePair(String verb) throws VerbsException {
        DisniQp qp = queuePair;
        if (qp == null) {
            throw DisniLibrary.absent(
                    verb,
                    "connections without a queue pair of the id (" + CmCapability.EXTERNAL_QP + "); create it first");
        }
        return qp;
    }

    private static RdmaConnParam toDisni(ConnectionParameters parameters) throws IOException {
        RdmaConnParam raw = new RdmaConnParam();
        raw.setRetry_count((byte) parameters.retryCount());
        raw.setRnr_retry_count((byte) parameters.rnrRetryCount().code());
        return raw;
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        throw DisniLibrary.absent(
                "rdma_reject",
                "rejection (" + CmCapability.REJECT + "); close the id, which rejects without private data");
    }

    @Override
    public QpAttributes initQpAttributes(QpState state) throws VerbsException {
        throw DisniLibrary.absent(
                "rdma_init_qp_attr", "connections without a queue pair (" + CmCapability.EXTERNAL_QP + ")");
    }

    @Override
    public void establish() throws VerbsException {
        throw DisniLibrary.absent(
                "rdma_establish", "connections without a queue pair (" + CmCapability.EXTERNAL_QP + ")");
    }

    @Override
    public void notifyEstablished() throws VerbsException {
        throw DisniLibrary.absent("rdma_notify", "notification of a first message");
    }

    @Override
    public void disconnect() throws VerbsException {
        String verb = "rdma_disconnect";
        guard.requireEnter();
        try {
            DisniLibrary.check(verb, verb + " of " + this, () -> manager.cm().disconnect(id));
        } finally {
            guard.exit();
        }
        DisniQp qp = queuePair;
        if (qp != null) {
            qp.setState(QpState.ERR);
        }
    }

    @Override
    public void joinMulticast(InetAddress group, MulticastRole role, @Nullable Object attached) throws VerbsException {
        throw DisniLibrary.absent("rdma_join_multicast_ex", "multicast (" + CmCapability.MULTICAST + ")");
    }

    @Override
    public void leaveMulticast(InetAddress group) throws VerbsException {
        throw DisniLibrary.absent("rdma_leave_multicast", "multicast (" + CmCapability.MULTICAST + ")");
    }

    @Override
    public void setTypeOfService(int typeOfService) throws VerbsException {
        throw noOptions();
    }

    @Override
    public void setReuseAddress(boolean reuse) throws VerbsException {
        throw noOptions();
    }

    @Override
    public void setIpv6Only(boolean only) throws VerbsException {
        throw noOptions();
    }

    @Override
    public void setAckTimeout(AckTimeout timeout) throws VerbsException {
        throw noOptions();
    }

    private static VerbsException noOptions() {
        return DisniLibrary.absent("rdma_set_option", "options (" + CmCapability.OPTIONS + ")");
    }

    @Override
    public void migrate(EventChannel to) throws VerbsException {
        throw DisniLibrary.absent("rdma_migrate_id", "migration (" + CmCapability.MIGRATE + ")");
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = guard.end(() -> {
            String verb = "rdma_destroy_id";
            if (queuePair != null) {
                throw new VerbsException(Errno.EBUSY, verb, this + " has an open queue pair; close that first");
            }
            pending.requireNone(verb, this);
            DisniLibrary.destroy(verb, "closing " + this, () -> manager.cm().destroyCmId(id));
        });
        if (closedNow) {
            manager.forget(id);
            channel.dependents().remove(this);
            channel.dropStale();
        }
    }

    /** Closes a connection id that the application has never received. */
    void discard() {
        WallRuntime.shielded(() -> {
            try {
                close();
            } catch (VerbsException refused) {
                throw new IllegalStateException(refused);
            }
        });
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
