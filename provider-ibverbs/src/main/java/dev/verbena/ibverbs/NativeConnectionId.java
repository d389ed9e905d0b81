package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.struct.IbvQpAttr;
import dev.verbena.ibverbs.struct.RdmaAddr;
import dev.verbena.ibverbs.struct.RdmaCmId;
import dev.verbena.ibverbs.struct.RdmaCmJoinMcAttrEx;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An id of librdmacm. */
final class NativeConnectionId implements ConnectionId {
    /** A later librdmacm may set attributes that this release cannot read. */
    private static final int KNOWN_ATTRIBUTES = QpAttribute.maskOf(EnumSet.allOf(QpAttribute.class));

    private static final String STATE = "look at its state: resolve or bind first, and do each step once";

    /** {@code RDMA_OPTION_ID} and its options. */
    private static final int LEVEL_ID = 0;

    private static final int OPTION_TOS = 0;
    private static final int OPTION_REUSEADDR = 1;
    private static final int OPTION_AFONLY = 2;
    private static final int OPTION_ACK_TIMEOUT = 3;

    private final NativeConnectionManager manager;
    private final PortSpace portSpace;
    private final NativeHandle handle;
    private final Dependents pending = new Dependents();
    private final IdGroups groups = new IdGroups();
    private volatile NativeEventChannel channel;
    private volatile @Nullable Object context;
    private volatile @Nullable NativeQp queuePair;

    @SuppressWarnings("restricted") // The size is the header's.
    NativeConnectionId(
            NativeConnectionManager manager,
            MemorySegment id,
            NativeEventChannel channel,
            PortSpace portSpace,
            @Nullable Object context) {
        this.manager = manager;
        this.channel = channel;
        this.portSpace = portSpace;
        this.context = context;
        handle = new NativeHandle("id 0x" + Long.toHexString(id.address()), id.reinterpret(RdmaCmId.LAYOUT.byteSize()));
    }

    /** The pointer without a guard. */
    MemorySegment handlePointer() {
        return handle.pointer();
    }

    /** Events that the program has not acknowledged. */
    Dependents pending() {
        return pending;
    }

    NativeEventChannel channel() {
        return channel;
    }

    /** The connection manager has moved it. */
    void isOn(NativeEventChannel to) {
        channel = to;
    }

    boolean isClosed() {
        return handle.isClosed();
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
        return read(id -> id.get(ADDRESS, RdmaCmId.VERBS));
    }

    /** rdma_connect and rdma_accept read the limits of the id's device before the kernel checks the state. */
    private void requireDevice(String verb) throws VerbsException {
        if (verbs().address() == 0) {
            throw Refusals.invalid(verb, this + " is bound to no device; " + STATE);
        }
    }

    @Override
    public int port() {
        return read(id -> id.get(JAVA_BYTE, RdmaCmId.PORT_NUM) & 0xFF);
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
        return read(
                id -> SocketAddresses.decode(id.asSlice(RdmaCmId.ROUTE + RdmaRoute.ADDR + which, RdmaAddr.STORAGE)));
    }

    private interface Reading<T> {
        T of(MemorySegment id);
    }

    private <T> T read(Reading<T> reading) {
        MemorySegment id = handle.enter();
        try {
            return reading.of(id);
        } finally {
            handle.exit();
        }
    }

    /** A call with the id and memory that it may use while it lasts. */
    private interface Step {
        long make(MemorySegment callState, MemorySegment id, Arena arena);
    }

    private void step(String verb, Step step) throws VerbsException {
        MemorySegment id = handle.enter();
        try (Arena arena = Arena.ofConfined()) {
            Outcome.check(verb, verb + " of " + this, STATE, callState -> step.make(callState, id, arena));
        } finally {
            handle.exit();
        }
    }

    private CmCalls calls() {
        return manager.calls();
    }

    @Override
    public void bind(InetSocketAddress address) throws VerbsException {
        step(
                "rdma_bind_addr",
                (callState, id, arena) -> calls().bindAddr(callState, id, SocketAddresses.encode(arena, address)));
    }

    @Override
    public void listen(int backlog) throws VerbsException {
        step("rdma_listen", (callState, id, arena) -> calls().listen(callState, id, backlog));
    }

    @Override
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws VerbsException {
        step(
                "rdma_resolve_addr",
                (callState, id, arena) -> calls().resolveAddr(
                                callState,
                                id,
                                SocketAddresses.encode(arena, source),
                                SocketAddresses.encode(arena, destination),
                                milliseconds(timeout)));
    }

    @Override
    public void resolveRoute(Duration timeout) throws VerbsException {
        step(
                "rdma_resolve_route",
                (callState, id, arena) -> calls().resolveRoute(callState, id, milliseconds(timeout)));
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
        handle.enter();
        try {
            return createQp(verb, domain, attributes);
        } finally {
            handle.exit();
        }
    }

    /** While the id cannot be closed, as then nothing could close the queue pair any more. */
    private NativeQp createQp(String verb, ProtectionDomain domain, QpInitAttributes attributes) throws VerbsException {
        NativePd own = Refusals.own(NativePd.class, domain, verb, this);
        if (device().filter(mine -> mine.equals(own.device())).isEmpty()) {
            throw Refusals.invalid(verb, this + " is bound to no device, or to another one than the " + own);
        }
        MemorySegment pd = own.handle().enter();
        try {
            QpCreation creation = own.creation(attributes);
            NativeQp made = creation.create(
                    pd,
                    raw -> {
                        step(
                                verb,
                                (callState, id, arena) -> creation.isExtended()
                                        ? calls().createQpEx(callState, id, raw)
                                        : calls().createQp(callState, id, pd, raw));
                        return read(id -> id.get(ADDRESS, RdmaCmId.QP));
                    },
                    qp -> {
                        step("rdma_destroy_qp", (callState, id, arena) -> {
                            calls().destroyQp(id);
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
        step(
                "rdma_connect",
                (callState, id, arena) ->
                        calls().connect(callState, id, ConnectionParameterCodec.encode(arena, parameters)));
    }

    @Override
    public void accept(ConnectionParameters parameters) throws VerbsException {
        checkLength("rdma_accept", parameters.privateData(), portSpace.maxReplyPrivateData());
        requireDevice("rdma_accept");
        step(
                "rdma_accept",
                (callState, id, arena) ->
                        calls().accept(callState, id, ConnectionParameterCodec.encode(arena, parameters)));
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        checkLength("rdma_reject", privateData, portSpace.maxRejectPrivateData());
        step(
                "rdma_reject",
                (callState, id, arena) -> calls().reject(
                                callState,
                                id,
                                privateData.length == 0
                                        ? MemorySegment.NULL
                                        : arena.allocateFrom(JAVA_BYTE, privateData),
                                (byte) privateData.length));
    }

    private boolean isForDatagrams() {
        return portSpace == PortSpace.UDP || portSpace == PortSpace.IPOIB;
    }

    /** The library lets these two pass without a word. */
    private void requireConnections(String verb) throws VerbsException {
        if (isForDatagrams()) {
            throw Refusals.invalid(verb, this + " is for datagrams, of which there is no connection");
        }
    }

    private static void checkLength(String verb, byte[] privateData, int most) throws VerbsException {
        if (privateData.length > most) {
            throw Refusals.invalid(
                    verb, privateData.length + " bytes of private data; at most " + most + " go into the message");
        }
    }

    @Override
    public QpAttributes initQpAttributes(QpState state) throws VerbsException {
        QpAttributes[] read = new QpAttributes[1];
        step("rdma_init_qp_attr", (callState, id, arena) -> {
            MemorySegment raw = arena.allocate(IbvQpAttr.LAYOUT);
            MemorySegment mask = arena.allocate(JAVA_INT);
            raw.set(JAVA_INT, IbvQpAttr.QP_STATE, state.code());
            int result = calls().initQpAttr(callState, id, raw, mask);
            if (result == 0) {
                read[0] =
                        QpAttributeCodec.read(raw, QpAttribute.ofMask(mask.get(JAVA_INT, 0) & KNOWN_ATTRIBUTES), state);
            }
            return result;
        });
        return read[0];
    }

    @Override
    public void setLocalEce(Ece options) throws VerbsException {
        EceCalls.set("rdma_set_local_ece", handle, options, calls()::setLocalEce);
    }

    @Override
    public Ece remoteEce() throws VerbsException {
        return EceCalls.query("rdma_get_remote_ece", handle, calls()::getRemoteEce);
    }

    @Override
    public void establish() throws VerbsException {
        requireConnections("rdma_establish");
        step("rdma_establish", (callState, id, arena) -> calls().establish(callState, id));
    }

    @Override
    public void notifyEstablished() throws VerbsException {
        step("rdma_notify", (callState, id, arena) -> calls().notify(callState, id, AsyncEventType.COMM_EST.code()));
    }

    @Override
    public void disconnect() throws VerbsException {
        requireConnections("rdma_disconnect");
        step("rdma_disconnect", (callState, id, arena) -> calls().disconnect(callState, id));
    }

    @Override
    public void joinMulticast(InetAddress group, MulticastRole role, @Nullable Object attached) throws VerbsException {
        String verb = "rdma_join_multicast_ex";
        if (!group.isMulticastAddress()) {
            throw Refusals.invalid(verb, group + " is no group address");
        }
        long number = groups.join(group, attached);
        boolean joined = false;
        try {
            step(
                    verb,
                    (callState, id, arena) -> calls().joinMulticast(
                                    callState, id, joining(arena, group, role), MemorySegment.ofAddress(number)));
            joined = true;
        } finally {
            if (!joined) {
                groups.forget(number);
            }
        }
    }

    private static MemorySegment joining(Arena arena, InetAddress group, MulticastRole role) {
        MemorySegment raw = arena.allocate(RdmaCmJoinMcAttrEx.LAYOUT);
        raw.set(JAVA_INT, RdmaCmJoinMcAttrEx.COMP_MASK, RdmaCmJoinMcAttrEx.ADDRESS_AND_FLAGS);
        raw.set(JAVA_INT, RdmaCmJoinMcAttrEx.JOIN_FLAGS, role == MulticastRole.SEND_ONLY ? 1 : 0);
        raw.set(ADDRESS, RdmaCmJoinMcAttrEx.ADDR, SocketAddresses.encode(arena, group, 0));
        return raw;
    }

    @Override
    public void leaveMulticast(InetAddress group) throws VerbsException {
        String verb = "rdma_leave_multicast";
        if (!groups.contains(group)) {
            throw new VerbsException(Errno.EADDRNOTAVAIL, verb, this + " is not in group " + group);
        }
        step(
                verb,
                (callState, id, arena) ->
                        calls().leaveMulticast(callState, id, SocketAddresses.encode(arena, group, 0)));
        groups.leave(group);
    }

    @Override
    public void setTypeOfService(int typeOfService) throws VerbsException {
        if (typeOfService < 0 || typeOfService > 0xFF) {
            throw Refusals.invalid("rdma_set_option", "type of service " + typeOfService + "; it is 0 to 255");
        }
        option(OPTION_TOS, (byte) typeOfService);
    }

    @Override
    public void setReuseAddress(boolean reuse) throws VerbsException {
        flag(OPTION_REUSEADDR, reuse);
    }

    @Override
    public void setIpv6Only(boolean only) throws VerbsException {
        flag(OPTION_AFONLY, only);
    }

    @Override
    public void setAckTimeout(AckTimeout timeout) throws VerbsException {
        option(OPTION_ACK_TIMEOUT, (byte) timeout.code());
    }

    private void option(int name, byte value) throws VerbsException {
        step(
                "rdma_set_option",
                (callState, id, arena) -> calls().setOption(
                                callState, id, LEVEL_ID, name, arena.allocateFrom(JAVA_BYTE, value), Byte.BYTES));
    }

    private void flag(int name, boolean value) throws VerbsException {
        step(
                "rdma_set_option",
                (callState, id, arena) -> calls().setOption(
                                callState,
                                id,
                                LEVEL_ID,
                                name,
                                arena.allocateFrom(JAVA_INT, value ? 1 : 0),
                                Integer.BYTES));
    }

    @Override
    public void migrate(EventChannel newChannel) throws VerbsException {
        NativeEventChannel to = manager.own(newChannel, "rdma_migrate_id");
        moveTo(to);
        // Without a lock, as the handler may close the id and both channels.
        to.events().handOver();
    }

    private synchronized void moveTo(NativeEventChannel to) throws VerbsException {
        // Closing the id must not fall between the steps.
        handle.enter();
        try {
            MemorySegment target = to.handle().enter();
            try {
                step("rdma_migrate_id", (callState, id, arena) -> calls().migrateId(callState, id, target));
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
            handle.exit();
        }
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle.close(id -> {
            String verb = "rdma_destroy_id";
            if (queuePair != null) {
                throw new VerbsException(Errno.EBUSY, verb, this + " has an open queue pair; close that first");
            }
            pending.requireNone(verb, this);
            Outcome.destroy(verb, "closing " + this, STATE, callState -> calls().destroyId(callState, id));
        });
        if (closedNow) {
            manager.forget(this);
            channel.dependents().remove(this);
            channel.forgetWhatIsTooLate();
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
