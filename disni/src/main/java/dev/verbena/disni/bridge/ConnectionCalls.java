// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RnrRetryCount;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** DiSNI's methods for the functions of librdmacm. Several threads may call the methods of this class. */
final class ConnectionCalls extends RdmaCm {
    /**
     * The minimum number of scatter-gather entries per work request, as in libdisni. Some programs request a maximum below
     * four entries, and then use four entries.
     */
    private static final int LEAST_SGE = 4;

    private final ConnectionManager manager;
    private final Settings settings;
    private final Map<Device, BridgeContext> devices = new HashMap<>();

    ConnectionCalls(ConnectionManager manager, Settings settings) {
        this.manager = manager;
        this.settings = settings;
    }

    @Override
    public RdmaEventChannel createEventChannel() throws IOException {
        return new BridgeEventChannel(Calls.get(manager::createEventChannel));
    }

    @Override
    public RdmaCmId createId(RdmaEventChannel channel, short portSpace) throws IOException {
        if (portSpace != RDMA_PS_TCP) {
            throw new IOException("rdma_create_id: port space " + Integer.toHexString(portSpace)
                    + " is not RDMA_PS_TCP, the only one that DiSNI uses (EOPNOTSUPP)");
        }
        BridgeEventChannel owner = (BridgeEventChannel) channel;
        return new BridgeId(owner, Calls.get(() -> manager.createId(owner.channel(), PortSpace.TCP, null)));
    }

    @Override
    public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
        BridgeId own = (BridgeId) id;
        Calls.run(() -> own.id().bind((InetSocketAddress) address));
        enterDevice(own);
    }

    @Override
    public void listen(RdmaCmId id, int backlog) throws IOException {
        Calls.run(() -> of(id).listen(backlog));
    }

    @Override
    public void resolveAddr(RdmaCmId id, @Nullable SocketAddress source, SocketAddress destination, int timeout)
            throws IOException {
        Calls.run(() -> of(id).resolveAddress(
                        (InetSocketAddress) source, (InetSocketAddress) destination, Duration.ofMillis(timeout)));
    }

    @Override
    public void resolveRoute(RdmaCmId id, int timeout) throws IOException {
        Calls.run(() -> of(id).resolveRoute(Duration.ofMillis(timeout)));
    }

    @Override
    public @Nullable SocketAddress getSrcAddr(RdmaCmId id) {
        return of(id).localAddress().orElse(null);
    }

    @Override
    public @Nullable SocketAddress getDstAddr(RdmaCmId id) {
        return of(id).peerAddress().orElse(null);
    }

    private static ConnectionId of(RdmaCmId id) {
        return ((BridgeId) id).id();
    }

    private void enterDevice(BridgeId id) throws IOException {
        Optional<Device> device = id.id().device();
        if (device.isPresent()) {
            id.enter(contextOf(device.get()));
        }
    }

    /** Returns the single context of a device; DiSNI programs identify the device by the context's {@code cmd_fd}. */
    private synchronized BridgeContext contextOf(Device device) throws IOException {
        BridgeContext context = devices.get(device);
        if (context == null) {
            context = new BridgeContext(device);
            devices.put(device, context);
        }
        return context;
    }

    /** Waits for an event. A call without a time limit returns null if the event channel has no open connection id. */
    @Override
    public @Nullable RdmaCmEvent getCmEvent(RdmaEventChannel channel, int timeout) throws IOException {
        BridgeEventChannel own = (BridgeEventChannel) channel;
        if (!own.isOpen()) {
            throw Calls.destroyed("rdma_get_cm_event", "the event channel");
        }
        RdmaCmEvent added = own.nextAdded();
        if (added != null) {
            return added;
        }
        Optional<CmEvent> event =
                Calls.await(own.channel()::await, timeout, () -> !own.ids().isEmpty());
        if (event.isEmpty()) {
            return null;
        }
        BridgeEvent taken;
        // This method acknowledges the provider's event at once, because DiSNI programs destroy a connection id while
        // they handle an event of this id.
        try (CmEvent provided = event.get()) {
            boolean request = provided.type() == CmEventType.CONNECT_REQUEST;
            taken = new BridgeEvent(
                    provided.typeCode(),
                    provided.status(),
                    // Only the event of a connection request refers to the listening id. If a DISCONNECTED event did,
                    // DiSNI's `RdmaServerEndpoint` would treat itself as closed.
                    request ? BridgeId.of(provided.listenId().orElseThrow()) : null,
                    request ? new BridgeId(own, provided.id()) : BridgeId.of(provided.id()));
        }
        react(taken);
        return taken;
    }

    private void react(BridgeEvent event) throws IOException {
        BridgeId id = event.id();
        switch (CmEventType.of(event.getEvent())) {
            case CONNECT_REQUEST, ADDR_RESOLVED -> enterDevice(id);
            case DISCONNECTED -> id.answerDisconnect();
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED -> {
                if (settings.failuresDisconnect()) {
                    id.channel().add(new BridgeEvent(CmEventType.DISCONNECTED.code(), event.getStatus(), null, id));
                }
            }
            default -> {}
        }
    }

    @Override
    public int ackCmEvent(RdmaCmEvent event) {
        return 0;
    }

    @Override
    public IbvQP createQP(RdmaCmId id, IbvPd domain, IbvQPInitAttr attributes) throws IOException {
        if (attributes.getSrq() != 0 || attributes.getQp_type() != IbvQP.IBV_QPT_RC) {
            throw new IOException(
                    "rdma_create_qp: the bridge supports queue pairs of type RC with a receive queue of their own,"
                            + " not of type " + attributes.getQp_type() + " with SRQ " + attributes.getSrq()
                            + " (EOPNOTSUPP)");
        }
        BridgeId own = (BridgeId) id;
        BridgePd pd = (BridgePd) domain;
        QueuePair made = Calls.get(() -> own.id()
                .createQp(
                        pd.domain(),
                        QpInitAttributes.builder()
                                .type(QpType.RC)
                                .sendCq(((BridgeCq) attributes.getSend_cq()).queue())
                                .receiveCq(((BridgeCq) attributes.getRecv_cq()).queue())
                                .signalAll(attributes.getSq_sig_all() != 0)
                                .capabilities(depths(
                                        attributes.cap(), pd.device().device().attributes()))
                                .build()));
        BridgeQp qp = new BridgeQp(pd, attributes, made);
        own.own(qp);
        return qp;
    }

    private static QpCapabilities depths(IbvQPCap asked, DeviceAttributes limits) {
        int least = Math.min(LEAST_SGE, limits.maxSge());
        return new QpCapabilities(
                asked.getMax_send_wr(),
                asked.getMax_recv_wr(),
                Math.max(asked.getMax_send_sge(), least),
                Math.max(asked.getMax_recv_sge(), least),
                asked.getMax_inline_data());
    }

    @Override
    public void connect(RdmaCmId id, RdmaConnParam parameters) throws IOException {
        byte[] data = Calls.memoryAt(parameters.getPrivate_data(), Byte.toUnsignedInt(parameters.getPrivate_data_len()))
                .toArray(ValueLayout.JAVA_BYTE);
        Calls.run(() -> of(id).connect(retries(parameters).privateData(data).build()));
    }

    /** Accepts a connection request. Like libdisni, this method sends no private data. */
    @Override
    public void accept(RdmaCmId id, RdmaConnParam parameters) throws IOException {
        Calls.run(() -> of(id).accept(retries(parameters).build()));
    }

    private ConnectionParameters.Builder retries(RdmaConnParam asked) {
        int retries = asked.getRetry_count();
        int rnrRetries = asked.getRnr_retry_count();
        return ConnectionParameters.builder()
                .retryCount(retries != 0 ? retries : settings.retryCount())
                .rnrRetryCount(RnrRetryCount.ofCode(rnrRetries != 0 ? rnrRetries : settings.rnrRetryCount()));
    }

    @Override
    public int disconnect(RdmaCmId id) throws IOException {
        return Calls.run(((BridgeId) id)::endConnection);
    }

    /** Destroys the event channel, and the connection ids that are still open. */
    @Override
    public int destroyEventChannel(RdmaEventChannel channel) throws IOException {
        BridgeEventChannel own = (BridgeEventChannel) channel;
        if (!own.isOpen()) {
            throw Calls.destroyed("rdma_destroy_event_channel", "the event channel");
        }
        return Calls.run(() -> {
            for (BridgeId id : List.copyOf(own.ids())) {
                id.release();
            }
            own.channel().close();
            own.close();
        });
    }

    /** Destroys the connection id. If the id's queue pair is still open, the queue pair is destroyed first. */
    @Override
    public int destroyCmId(RdmaCmId id) throws IOException {
        if (!id.isOpen()) {
            throw Calls.destroyed("rdma_destroy_id", id);
        }
        return Calls.run(() -> {
            ((BridgeId) id).release();
            id.close();
        });
    }

    /**
     * Destroys the queue pair of a connection id. Has no effect if the connection id never had a queue pair. A DiSNI
     * endpoint calls {@code destroyQP} even after a failed connection attempt.
     */
    @Override
    public int destroyQP(RdmaCmId id) throws IOException {
        ((BridgeId) id).destroyQp();
        return 0;
    }

    @Override
    public int destroyEp(RdmaCmId id) throws IOException {
        return destroyCmId(id);
    }
}
