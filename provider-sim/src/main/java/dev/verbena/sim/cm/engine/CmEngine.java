// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.cm.PortSpace;
import dev.verbena.cm.RejectReason;
import dev.verbena.sim.cm.engine.CmIndication.Kind;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmDisconnectReply;
import dev.verbena.wire.mad.CmDisconnectRequest;
import dev.verbena.wire.mad.CmPath;
import dev.verbena.wire.mad.CmReadyToUse;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.CmRequest;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.Mra;
import dev.verbena.wire.mad.ServiceId;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The CM protocol state machine of one device. The inputs of {@code CmEngine} are MADs, calls and the time; its outputs are
 * MADs, callbacks (for example of {@link CmEndpoint}) and the next deadline. Not thread-safe. No MAD, regardless of its
 * content, makes {@code CmEngine} throw an exception. {@code CmEngine} passes a CM message to the {@link CmConnection} of
 * the message, and itself handles CM messages that belong to no connection.
 */
public final class CmEngine {
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final byte[] NO_INFORMATION = {};

    private final MadAgent mads;
    private final CmMessages messages;
    private final CmCounters counters;
    private final PathMtu pathMtu;
    private final RandomGenerator random;
    private final CmListeners listeners = new CmListeners();
    private final CmConnectionTable connections = new CmConnectionTable();
    private final SidrEngine sidr;

    private final MadHeader header = new MadHeader();
    private final CmRequest request = new CmRequest();
    private final CmReply reply = new CmReply();
    private final CmReadyToUse readyToUse = new CmReadyToUse();
    private final CmReject reject = new CmReject();
    private final CmDisconnectRequest disconnectRequest = new CmDisconnectRequest();
    private final CmDisconnectReply disconnectReply = new CmDisconnectReply();
    private final Mra mra = new Mra();

    /**
     * Creates the state machine of a device. The node GUID of the device is {@code guid}; no other device may have this
     * GUID. The ACK delay of the device is 4.096 us * 2^{@code ackDelay}.
     */
    public CmEngine(
            long guid, int ackDelay, PathMtu pathMtu, RandomGenerator random, CmOutput output, CmCounters counters) {
        this.messages = new CmMessages(guid, ackDelay);
        this.mads = new MadAgent(messages, random.nextInt(), output, counters);
        this.counters = counters;
        this.pathMtu = pathMtu;
        this.random = random;
        this.sidr = new SidrEngine(mads, listeners);
    }

    public void addListener(CmListener listener) {
        listeners.add(listener);
    }

    public void removeListener(CmListener listener) {
        listeners.remove(listener);
    }

    public CmConnection connect(RequestParameters parameters, CmEndpoint owner, long now) {
        CmConnection connection = new CmConnection(
                mads, connections, new CmCommunication(mads, newLocalId(), newPsn(), parameters), owner);
        connections.add(connection);
        connection.connect(now);
        return connection;
    }

    public SidrEngine sidr() {
        return sidr;
    }

    /** Returns the number of connections and SIDR requests, including connections in timewait. */
    int size() {
        return connections.size() + sidr.size();
    }

    public void onMad(Gid peer, Gid own, MemorySegment mad, long now) {
        if (mad.byteSize() < MadHeader.MAD_LENGTH) {
            counters.malformed();
            return;
        }
        header.wrap(mad, 0);
        CmAttribute message =
                header.isConnectionManagement() ? CmAttribute.of(header.get(MadHeader.ATTRIBUTE_ID)) : null;
        if (message == null) {
            counters.ignored();
            return;
        }
        counters.received(message);
        switch (message) {
            case REQ -> onRequest(request.wrap(mad, 0), peer, own, now);
            case REP -> onReply(reply.wrap(mad, 0), peer, own);
            case RTU -> onReadyToUse(readyToUse.wrap(mad, 0), peer);
            case REJ -> onReject(reject.wrap(mad, 0), peer, now);
            case DREQ -> onDisconnectRequest(disconnectRequest.wrap(mad, 0), peer, own);
            case DREP -> onDisconnectReply(disconnectReply.wrap(mad, 0), peer, now);
            case MRA -> onMra(mra.wrap(mad, 0), peer, now);
            case SIDR_REQ -> sidr.onRequest(mad, peer, own);
            case SIDR_REP -> sidr.onReply(mad, peer);
            case LAP, APR -> counters.ignored();
        }
    }

    public void onTime(long now) {
        mads.onTime(now);
    }

    private void onRequest(CmRequest message, Gid peer, Gid own, long now) {
        long guid = message.getLong(CmRequest.LOCAL_CA_GUID);
        int id = message.get(CmRequest.LOCAL_COMM_ID);
        if (id == 0) {
            counters.malformed();
            return;
        }
        CmConnection known = connections.withRemoteId(guid, id);
        if (known != null && known.communication().isRepeatedBy(message)) {
            known.onDuplicateRequest();
            return;
        }
        RejectReason refusal = refusal(message, peer, own);
        if (refusal != null) {
            counters.malformed();
            refuse(message, peer, own, refusal, NO_INFORMATION);
            return;
        }
        CmConnection stale = known == null ? connections.withRemoteQpn(guid, message.get(CmRequest.LOCAL_QPN)) : known;
        if (stale != null) {
            refuse(message, peer, own, RejectReason.STALE_CONNECTION, NO_INFORMATION);
            if (stale.state() == CmState.ESTABLISHED) {
                stale.disconnect(now);
            }
            return;
        }
        if (message.get(CmRequest.PATH_MTU) > pathMtu.code()) {
            byte[] largest = {(byte) pathMtu.code()};
            refuse(message, peer, own, RejectReason.INVALID_PATH_MTU, largest);
            return;
        }
        RequestParameters parameters = CmMessages.read(message);
        CmListener listener =
                listeners.find(parameters.serviceId(), parameters.destination(), CmService.Connections.class);
        if (listener == null || !(listener.service() instanceof CmService.Connections(CmEndpoint endpoint))) {
            refuse(message, peer, own, RejectReason.INVALID_SERVICE_ID, NO_INFORMATION);
        } else if (connections.halfOpen() >= CmConnectionTable.MOST_HALF_OPEN || !listener.admit()) {
            // The REQ is dropped without a REJ, because the peer retransmits the REQ later.
            counters.backlogOverflow();
        } else {
            CmCommunication.Peer numbers = new CmCommunication.Peer(
                    message.transactionId(),
                    guid,
                    id,
                    message.get(CmRequest.STARTING_PSN),
                    message.get(CmRequest.MAX_CM_RETRIES),
                    message.get(CmRequest.LOCAL_CM_RESPONSE_TIMEOUT));
            CmConnection connection = new CmConnection(
                    mads,
                    connections,
                    new CmCommunication(mads, newLocalId(), newPsn(), parameters, numbers),
                    numbers.maxRetries(),
                    numbers.responseTimeout());
            connections.add(connection);
            connections.index(connection);
            endpoint.onIndication(connection, CmIndication.of(Kind.REQUESTED));
        }
    }

    /** Returns the reason to reject a REQ because of its fields, or null if its fields are valid. */
    private @Nullable RejectReason refusal(CmRequest message, Gid peer, Gid own) {
        CmPath path = message.primaryPath();
        if (path.getLong(CmPath.LOCAL_GID_HI) != peer.high()
                || path.getLong(CmPath.LOCAL_GID_LO) != peer.low()
                || path.getLong(CmPath.REMOTE_GID_HI) != own.high()
                || path.getLong(CmPath.REMOTE_GID_LO) != own.low()) {
            return RejectReason.PRIMARY_REMOTE_PORT_GID;
        }
        int transport = message.get(CmRequest.TRANSPORT_SERVICE_TYPE);
        boolean anyTransport = ServiceId.portSpace(message.getLong(CmRequest.SERVICE_ID)) == PortSpace.IB.code();
        if (transport != CmRequest.RC && !(anyTransport && transport == CmRequest.UC)) {
            return RejectReason.INVALID_TRANSPORT_SERVICE_TYPE;
        }
        if (message.get(CmRequest.PATH_MTU) < PathMtu.MTU_256.code()
                || message.get(CmRequest.PATH_MTU) > PathMtu.MTU_4096.code()) {
            return RejectReason.INVALID_PATH_MTU;
        }
        return CmMessages.isGenuine(message, peer, own) ? null : RejectReason.CONSUMER_DEFINED;
    }

    private void onReply(CmReply message, Gid peer, Gid own) {
        long guid = message.getLong(CmReply.LOCAL_CA_GUID);
        int id = message.get(CmReply.LOCAL_COMM_ID);
        if (id == 0) {
            counters.malformed();
            return;
        }
        CmConnection connection = connections.find(message.get(CmReply.REMOTE_COMM_ID), peer);
        boolean first = connection != null && connection.state() == CmState.REQ_SENT;
        if (connection == null || (!first && connection.communication().remoteId() != id)) {
            counters.unmatched();
            refuse(message, peer, own, RejectReason.INVALID_COMMUNICATION_ID);
        } else if (first
                && (connections.withRemoteId(guid, id) != null
                        || connections.withRemoteQpn(guid, message.get(CmReply.LOCAL_QPN)) != null)) {
            refuse(message, peer, own, RejectReason.STALE_CONNECTION);
        } else {
            connection.onReply(message);
        }
    }

    private void onReadyToUse(CmReadyToUse message, Gid peer) {
        CmConnection connection = connections.find(message, peer);
        if (connection == null) {
            counters.unmatched();
        } else {
            connection.onReadyToUse();
        }
    }

    private void onMra(Mra message, Gid peer, long now) {
        CmConnection connection = connections.find(message.get(Mra.REMOTE_COMM_ID), peer);
        boolean meant = connection != null
                && (message.get(Mra.MESSAGE_MRAED) == Mra.REQ
                        || connection.communication().remoteId() == message.get(Mra.LOCAL_COMM_ID));
        if (connection == null || !meant) {
            counters.unmatched();
        } else {
            connection.onMra(message.get(Mra.MESSAGE_MRAED), message.get(Mra.SERVICE_TIMEOUT), now);
        }
    }

    private void onReject(CmReject message, Gid peer, long now) {
        CmConnection connection = findRejected(message, peer);
        if (connection == null) {
            counters.unmatched();
        } else {
            connection.onReject(message, now);
        }
    }

    /**
     * Finds the connection of a REJ. A REJ with reason TIMEOUT may lack the communication ID of this node. A REJ of a REQ
     * may lack the communication ID of the peer.
     */
    private @Nullable CmConnection findRejected(CmReject message, Gid peer) {
        if (message.get(CmReject.REASON) == RejectReason.TIMEOUT.code()) {
            CmConnection connection =
                    connections.withRemoteId(CmMessages.guidInformation(message), message.get(CmReject.LOCAL_COMM_ID));
            return connection != null && connection.communication().peerGid().equals(peer) ? connection : null;
        }
        CmConnection connection = connections.find(message.get(CmReject.REMOTE_COMM_ID), peer);
        return connection != null
                        && (connection.state() == CmState.REQ_SENT
                                || connection.communication().remoteId() == message.get(CmReject.LOCAL_COMM_ID))
                ? connection
                : null;
    }

    private void onDisconnectRequest(CmDisconnectRequest message, Gid peer, Gid own) {
        CmConnection connection = connections.find(message, peer);
        if (connection == null) {
            // The connection of the DREQ no longer exists on the local node; without a DREP the peer would wait until
            // its timeout.
            counters.unmatched();
            long transactionId = message.transactionId();
            mads.send(
                    own,
                    peer,
                    CmAttribute.DREP,
                    messages.disconnectReply(
                            transactionId,
                            message.get(CmDisconnectRequest.REMOTE_COMM_ID),
                            message.get(CmDisconnectRequest.LOCAL_COMM_ID)));
        } else {
            connection.onDisconnectRequest(message.transactionId(), message.get(CmDisconnectRequest.REMOTE_QPN));
        }
    }

    private void onDisconnectReply(CmDisconnectReply message, Gid peer, long now) {
        CmConnection connection = connections.find(message, peer);
        if (connection == null) {
            counters.unmatched();
        } else {
            connection.onDisconnectReply(now);
        }
    }

    private void refuse(CmRequest message, Gid peer, Gid own, RejectReason reason, byte[] information) {
        sendReject(
                peer,
                own,
                messages.reject(
                        message.transactionId(),
                        0,
                        message.get(CmRequest.LOCAL_COMM_ID),
                        CmReject.REQ,
                        reason.code(),
                        information,
                        MemorySegment.NULL));
    }

    private void refuse(CmReply message, Gid peer, Gid own, RejectReason reason) {
        sendReject(
                peer,
                own,
                messages.reject(
                        message.transactionId(),
                        message.get(CmReply.REMOTE_COMM_ID),
                        message.get(CmReply.LOCAL_COMM_ID),
                        CmReject.REP,
                        reason.code(),
                        NO_INFORMATION,
                        MemorySegment.NULL));
    }

    private void sendReject(Gid peer, Gid own, MemorySegment mad) {
        mads.send(own, peer, CmAttribute.REJ, mad);
    }

    private int newLocalId() {
        return mads.newId(connections::hasLocalId);
    }

    private int newPsn() {
        return random.nextInt() & PSN_MASK;
    }

    int halfOpen() {
        return connections.halfOpen();
    }
}
