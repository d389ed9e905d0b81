// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.ConnParams;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RejectData;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Errno;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a node with protocol version 0x12 reacts to a connection request, a reply or a rejection.
 *
 * @param queueDepth the maximum queue depth that this node offers or accepts
 * @param maxFragments the maximum number of fragments per RDMA descriptor that this node offers or accepts
 */
public record Handshake(Nid nid, long incarnation, int queueDepth, int maxFragments) {

    public enum Reaction {
        RECONNECT,
        GIVE_UP
    }

    /** Returns the reason to reject a CM REQ with well-formed private data; null if the CM REQ can be accepted. */
    public @Nullable RejectReason judgeRequest(LndMessage request) {
        long stamp = request.header().destinationStamp();
        ConnParams params = request.connParams();
        if (request.header().version() != Protocol.VERSION_2) {
            return RejectReason.FATAL;
        }
        if (stamp != 0 && stamp != incarnation) {
            return RejectReason.CONN_STALE;
        }
        if (request.type() != MessageType.CONNREQ) {
            return RejectReason.FATAL;
        }
        if (params.queueDepth() > queueDepth) {
            return RejectReason.MSG_QUEUE_SIZE;
        }
        if (params.maxFragments() > maxFragments) {
            return RejectReason.RDMA_FRAGS;
        }
        boolean usable = params.queueDepth() > 0
                && params.maxFragments() > 0
                && params.maxMessageSize() <= Protocol.MESSAGE_SIZE;
        return usable ? null : RejectReason.FATAL;
    }

    /**
     * Checks the type, version, limits, NIDs and incarnation in a parsed CM REP. The CM REP must not exceed the limits
     * of the CM REQ. This {@code Handshake} contains the limits of the CM REQ. Returns 0 if the CM REP is valid, or the
     * negative errno with which the caller must close the connection.
     */
    public int judgeReply(LndMessage reply, Nid peer) {
        ConnParams params = reply.connParams();
        boolean legal = reply.type() == MessageType.CONNACK
                && reply.header().version() == Protocol.VERSION_2
                && params.queueDepth() > 0
                && params.queueDepth() <= queueDepth
                && params.maxFragments() > 0
                && params.maxFragments() <= maxFragments
                && params.maxMessageSize() <= Protocol.MESSAGE_SIZE;
        if (!legal) {
            return -Errno.EPROTO.number();
        }
        boolean ours = reply.header().sourceNid().equals(peer)
                && reply.header().destinationNid().equals(nid)
                && reply.header().destinationStamp() == incarnation;
        return ours ? 0 : -Errno.ESTALE.number();
    }

    /**
     * Decides whether this node sends another connection request after a rejection by the peer. The rejected request
     * offered {@link #queueDepth} and {@link #maxFragments}.
     */
    public Reaction react(RejectData data) {
        @Nullable RejectReason reason = RejectReason.of(data.reasonCode());
        if (reason == null) {
            return Reaction.GIVE_UP;
        }
        boolean again = switch (reason) {
            case CONN_RACE, CONN_STALE -> true;
            case RDMA_FRAGS -> data.isComplete() && isSmaller(data.connParams().maxFragments(), maxFragments);
            case MSG_QUEUE_SIZE ->
                data.isComplete() && isSmaller(data.connParams().queueDepth(), queueDepth);
            case NO_RESOURCES, FATAL, CONN_UNCOMPAT, INVALID_SRV_ID, EARLY -> false;
        };
        return again ? Reaction.RECONNECT : Reaction.GIVE_UP;
    }

    private static boolean isSmaller(int theirs, int offered) {
        return theirs > 0 && theirs < offered;
    }
}
