// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.device.NativePd;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.queue.EceCalls;
import dev.verbena.ibverbs.queue.NativeQp;
import dev.verbena.ibverbs.queue.QpAttributeCodec;
import dev.verbena.ibverbs.queue.QpCreation;
import dev.verbena.ibverbs.struct.IbvQpAttr;
import dev.verbena.ibverbs.struct.RdmaAddr;
import dev.verbena.ibverbs.struct.RdmaCmId;
import dev.verbena.ibverbs.struct.RdmaRoute;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection id of librdmacm ({@code struct rdma_cm_id}). */
public final class NativeConnectionId implements ConnectionId {
    /** The mask of all attributes that {@link QpAttribute} defines. A later librdmacm may set other attributes. */
    private static final int KNOWN_ATTRIBUTES = QpAttribute.maskOf(EnumSet.allOf(QpAttribute.class));

    private final NativeConnectionManager manager;
    private final PortSpace portSpace;
    private final NativeId id;
    private final IdGroups groups;
    private final IdOptions options;
    private volatile NativeEventChannel channel;
    private volatile @Nullable Object context;
    private volatile @Nullable NativeQp queuePair;

    NativeConnectionId(
            NativeConnectionManager manager,
            MemorySegment pointer,
            NativeEventChannel channel,
            PortSpace portSpace,
            @Nullable Object context) {
        this.manager = manager;
        this.channel = channel;
        this.portSpace = portSpace;
        this.context = context;
        id = new NativeId(manager.calls(), pointer);
        groups = new IdGroups(id);
        options = new IdOptions(id);
    }

    MemorySegment handlePointer() {
        return id.handle().pointer();
    }

    /** The events of this connection id that the application has not acknowledged. */
    Dependents pending() {
        return id.dependents();
    }

    NativeEventChannel channel() {
        return channel;
    }

    void setChannel(NativeEventChannel to) {
        channel = to;
    }

    boolean isClosed() {
        return id.handle().isClosed();
    }

    IdGroups groups() {
        return groups;
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
        return portSpace;
    }

    @Override
    public Optional<Device> device() {
        MemorySegment verbs = verbs();
        if (verbs.address() == 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(manager.device(verbs));
        } catch (VerbsException failed) {
            throw new IllegalStateException("the device of " + this + " cannot be used", failed);
        }
    }

    private MemorySegment verbs() {
        return id.read(raw -> raw.get(ADDRESS, RdmaCmId.VERBS));
    }

    /**
     * Throws EINVAL if the connection id has no device. If a connection id has no device, rdma_connect and rdma_accept read
     * the device limits through a null pointer.
     */
    private void requireDevice(String verb) throws VerbsException {
        if (verbs().address() == 0) {
            throw Refusals.invalid(verb, this + " is bound to no device; " + NativeId.STATE);
        }
    }

    @Override
    public int port() {
        return id.read(raw -> raw.get(JAVA_BYTE, RdmaCmId.PORT_NUM) & 0xFF);
    }

    @Override
    public Optional<InetSocketAddress> localAddress() {
        return address(RdmaAddr.SRC_STORAGE);
    }

    @Override
    public Optional<InetSocketAddress> peerAddress() {
        return address(RdmaAddr.DST_STORAGE);
    }

    private Optional<InetSocketAddress> address(long which) {
        return id.read(
                raw -> SocketAddresses.decode(raw.asSlice(RdmaCmId.ROUTE + RdmaRoute.ADDR + which, RdmaAddr.STORAGE)));
    }

    private CmCalls calls() {
        return manager.calls();
    }

    @Override
    public void bind(InetSocketAddress address) throws VerbsException {
        id.step(
                "rdma_bind_addr",
                (callState, raw, arena) -> calls().bindAddr(callState, raw, SocketAddresses.encode(arena, address)));
    }

    @Override
    public void listen(int backlog) throws VerbsException {
        id.step("rdma_listen", (callState, raw, arena) -> calls().listen(callState, raw, backlog));
    }

    @Override
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws VerbsException {
        id.step(
                "rdma_resolve_addr",
                (callState, raw, arena) -> calls().resolveAddr(
                                callState,
                                raw,
                                SocketAddresses.encode(arena, source),
                                SocketAddresses.encode(arena, destination),
                                milliseconds(timeout)));
    }

    @Override
    public void resolveRoute(Duration timeout) throws VerbsException {
        id.step(
                "rdma_resolve_route",
                (callState, raw, arena) -> calls().resolveRoute(callState, raw, milliseconds(timeout)));
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
        id.handle().enter();
        try {
            return createQp(verb, domain, attributes);
        } finally {
            id.handle().exit();
        }
    }

    /**
     * Creates the queue pair. The caller must prevent the destruction of the connection id during the call. If another
     * thread destroyed the connection id during the call, the queue pair would never be destroyed.
     */
    private NativeQp createQp(String verb, ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException {
        NativePd own = Refusals.own(NativePd.class, domain, verb, this);
        if (device().filter(mine -> mine.equals(own.device())).isEmpty()) {
            throw Refusals.invalid(
                    verb,
                    this + " is not bound to the device of the " + own
                            + "; bind or resolve it first, and use a domain of its device");
        }
        MemorySegment pd = own.handle().enter();
        try {
            QpCreation creation = own.creation(attributes);
            NativeQp made = creation.create(
                    pd,
                    filled -> {
                        id.step(
                                verb,
                                (callState, raw, arena) -> creation.isExtended()
                                        ? calls().createQpEx(callState, raw, filled)
                                        : calls().createQp(callState, raw, pd, filled));
                        return id.read(raw -> raw.get(ADDRESS, RdmaCmId.QP));
                    },
                    qp -> {
                        groups.requireNoMember();
                        id.step("rdma_destroy_qp", (callState, raw, arena) -> {
                            calls().destroyQp(raw);
                            return 0;
                        });
                        queuePair = null;
                    });
            made.control().managedElsewhere();
            queuePair = made;
            return made;
        } finally {
            own.handle().exit();
        }
    }

    @Override
    public Optional<QueuePair> queuePair() {
        return Optional.ofNullable(queuePair);
    }

    @Override
    public void connect(ConnectionParameters parameters) throws VerbsException {
        checkLength("rdma_connect", parameters.privateData(), portSpace.maxRequestPrivateData());
        requireDevice("rdma_connect");
        id.step(
                "rdma_connect",
                (callState, raw, arena) ->
                        calls().connect(callState, raw, ConnectionParameterCodec.encode(arena, parameters)));
    }

    @Override
    public void accept(ConnectionParameters parameters) throws VerbsException {
        checkLength("rdma_accept", parameters.privateData(), portSpace.maxReplyPrivateData());
        requireDevice("rdma_accept");
        id.step(
                "rdma_accept",
                (callState, raw, arena) ->
                        calls().accept(callState, raw, ConnectionParameterCodec.encode(arena, parameters)));
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        checkLength("rdma_reject", privateData, portSpace.maxRejectPrivateData());
        id.step(
                "rdma_reject",
                (callState, raw, arena) -> calls().reject(
                                callState,
                                raw,
                                privateData.length == 0
                                        ? MemorySegment.NULL
                                        : arena.allocateFrom(JAVA_BYTE, privateData),
                                privateData.length));
    }

    private boolean isForDatagrams() {
        return portSpace == PortSpace.UDP || portSpace == PortSpace.IPOIB;
    }

    /** Throws EINVAL if the port space is for datagrams. librdmacm would accept the call without an error. */
    private void requireConnections(String verb) throws VerbsException {
        if (isForDatagrams()) {
            throw Refusals.invalid(verb, this + " is an id for datagrams, which has no connections");
        }
    }

    private static void checkLength(String verb, byte[] privateData, int most) throws VerbsException {
        if (privateData.length > most) {
            throw Refusals.invalid(
                    verb, privateData.length + " bytes of private data; at most " + most + " fit the message");
        }
    }

    @Override
    public QpAttributes initQpAttributes(QpState state) throws VerbsException {
        QpAttributes[] read = new QpAttributes[1];
        id.step("rdma_init_qp_attr", (callState, raw, arena) -> {
            MemorySegment attributes = arena.allocate(IbvQpAttr.LAYOUT);
            MemorySegment mask = arena.allocate(JAVA_INT);
            attributes.set(JAVA_INT, IbvQpAttr.QP_STATE, state.code());
            int result = calls().initQpAttr(callState, raw, attributes, mask);
            if (result == 0) {
                read[0] = QpAttributeCodec.read(
                        attributes, QpAttribute.ofMask(mask.get(JAVA_INT, 0) & KNOWN_ATTRIBUTES), state);
            }
            return result;
        });
        return read[0];
    }

    @Override
    public void setLocalEce(Ece options) throws VerbsException {
        EceCalls.set("rdma_set_local_ece", id.handle(), options, calls()::setLocalEce);
    }

    @Override
    public Ece remoteEce() throws VerbsException {
        return EceCalls.query("rdma_get_remote_ece", id.handle(), calls()::getRemoteEce);
    }

    @Override
    public void establish() throws VerbsException {
        requireConnections("rdma_establish");
        id.step("rdma_establish", (callState, raw, arena) -> calls().establish(callState, raw));
    }

    @Override
    public void notifyEstablished() throws VerbsException {
        id.step(
                "rdma_notify",
                (callState, raw, arena) -> calls().notify(callState, raw, AsyncEventType.COMM_EST.code()));
    }

    @Override
    public void disconnect() throws VerbsException {
        requireConnections("rdma_disconnect");
        id.step("rdma_disconnect", (callState, raw, arena) -> calls().disconnect(callState, raw));
    }

    @Override
    public void joinMulticast(InetAddress group, MulticastRole role, @Nullable Object attached) throws VerbsException {
        groups.join(group, role, attached);
    }

    @Override
    public void leaveMulticast(InetAddress group) throws VerbsException {
        groups.leave(group);
    }

    @Override
    public void setTypeOfService(int typeOfService) throws VerbsException {
        options.setTypeOfService(typeOfService);
    }

    @Override
    public void setReuseAddress(boolean reuse) throws VerbsException {
        options.setReuseAddress(reuse);
    }

    @Override
    public void setIpv6Only(boolean only) throws VerbsException {
        options.setIpv6Only(only);
    }

    @Override
    public void setAckTimeout(AckTimeout timeout) throws VerbsException {
        options.setAckTimeout(timeout);
    }

    @Override
    public void migrate(EventChannel newChannel) throws VerbsException {
        NativeEventChannel to = manager.own(newChannel, "rdma_migrate_id");
        moveTo(to);
        // No lock is held while the handler runs, because the handler may close the connection id and both event
        // channels.
        to.events().handOver();
    }

    private synchronized void moveTo(NativeEventChannel to) throws VerbsException {
        // `enter` prevents the destruction of the connection id during `rdma_migrate_id`.
        id.handle().enter();
        try {
            MemorySegment target = to.handle().enter();
            try {
                id.step("rdma_migrate_id", (callState, raw, arena) -> calls().migrateId(callState, raw, target));
                NativeEventChannel from = channel;
                if (to != from) {
                    to.dependents().add(this);
                    manager.route(this, to);
                    from.dependents().remove(this);
                }
            } finally {
                to.handle().exit();
            }
        } finally {
            id.handle().exit();
        }
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = id.handle().close(raw -> {
            String verb = "rdma_destroy_id";
            if (queuePair != null) {
                throw new VerbsException(Errno.EBUSY, verb, this + " has an open queue pair; close that first");
            }
            pending().requireNone(verb, this);
            Outcome.destroy(verb, "closing " + this, NativeId.STATE, callState -> calls().destroyId(callState, raw));
        });
        if (closedNow) {
            manager.forget(this);
            channel.dependents().remove(this);
            channel.dropStale();
        }
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
