// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.cm.RejectReason;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.CmRequest;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The communication IDs, QPNs and parameters of both peers of a connection, and the CM messages that the local node sends.
 */
public final class CmCommunication {
    private static final byte[] NO_INFORMATION = {};

    private final MadAgent mads;
    private final boolean active;
    private final int localId;
    private final int localPsn;
    private final long transactionId;
    private final RequestParameters request;

    private @Nullable ReplyParameters reply;
    private long remoteGuid;
    private int remoteId;
    private int remotePsn;

    CmCommunication(MadAgent mads, int localId, int localPsn, RequestParameters request) {
        this.mads = mads;
        this.active = true;
        this.localId = localId;
        this.localPsn = localPsn;
        this.transactionId = CmMessages.transactionId(localId);
        this.request = request;
    }

    CmCommunication(MadAgent mads, int localId, int localPsn, RequestParameters request, Peer peer) {
        this.mads = mads;
        this.active = false;
        this.localId = localId;
        this.localPsn = localPsn;
        this.transactionId = peer.transactionId();
        this.request = request;
        this.remoteGuid = peer.guid();
        this.remoteId = peer.communicationId();
        this.remotePsn = peer.startingPsn();
    }

    /** The fields of a REQ that describe its sender. The response time is 4.096 us * 2^{@code responseTimeout}. */
    record Peer(
            long transactionId, long guid, int communicationId, int startingPsn, int maxRetries, int responseTimeout) {}

    public boolean active() {
        return active;
    }

    /** Returns whether a REQ with the peer's communication ID is a retransmission, not the REQ of another connection. */
    boolean isRepeatedBy(CmRequest message) {
        return !active && transactionId == message.transactionId() && request.qpn() == message.get(CmRequest.LOCAL_QPN);
    }

    public RequestParameters request() {
        return request;
    }

    /** Returns the passive side's REP, or null if no REP was sent or received yet. */
    public @Nullable ReplyParameters reply() {
        return reply;
    }

    /** Returns the first PSN that the peer sends, which the local receive queue expects. */
    public int localPsn() {
        return localPsn;
    }

    /** Returns the first PSN of the local send queue; valid on the active side after the REP. */
    public int remotePsn() {
        return remotePsn;
    }

    public Gid localGid() {
        return active ? request.source() : request.destination();
    }

    public Gid peerGid() {
        return active ? request.destination() : request.source();
    }

    int localId() {
        return localId;
    }

    int remoteId() {
        return remoteId;
    }

    long remoteGuid() {
        return remoteGuid;
    }

    public int remoteQpn() {
        return active ? (reply == null ? 0 : reply.qpn()) : request.qpn();
    }

    int localQpn() {
        return active ? request.qpn() : (reply == null ? 0 : reply.qpn());
    }

    void readReply(CmReply message) {
        remoteGuid = message.getLong(CmReply.LOCAL_CA_GUID);
        remoteId = message.get(CmReply.LOCAL_COMM_ID);
        remotePsn = message.get(CmReply.STARTING_PSN);
        reply = CmMessages.read(message);
    }

    MemorySegment request(CmMessages messages) {
        return messages.request(localId, localPsn, request);
    }

    MemorySegment reply(CmMessages messages, ReplyParameters parameters) {
        reply = parameters;
        return messages.reply(transactionId, localId, remoteId, localPsn, parameters);
    }

    MemorySegment disconnectRequest(CmMessages messages) {
        return messages.disconnectRequest(localId, remoteId, remoteQpn());
    }

    void sendDisconnectReply(long requestTransactionId) {
        send(CmAttribute.DREP, mads.messages().disconnectReply(requestTransactionId, localId, remoteId));
    }

    void sendReadyToUse() {
        send(CmAttribute.RTU, mads.messages().readyToUse(transactionId, localId, remoteId));
    }

    void sendMra(int received) {
        send(CmAttribute.MRA, mads.messages().mra(transactionId, localId, remoteId, received));
    }

    void sendReject(int rejected, RejectReason reason) {
        sendReject(rejected, reason, NO_INFORMATION, MemorySegment.NULL);
    }

    void sendReject(int rejected, RejectReason reason, byte[] information, MemorySegment privateData) {
        MemorySegment mad = mads.messages()
                .reject(transactionId, localId, remoteId, rejected, reason.code(), information, privateData);
        send(CmAttribute.REJ, mad);
    }

    private void send(CmAttribute message, MemorySegment mad) {
        mads.send(localGid(), peerGid(), message, mad);
    }
}
