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
 * Decides the answers to a connection request, to its reply, and to a rejection. Only protocol version 0x12 is spoken.
 *
 * @param nid our interface
 * @param incarnation our incarnation
 * @param queueDepth the deepest queue we offer or take
 * @param maxFragments the most fragments of a descriptor we offer or take
 */
public record Handshake(Nid nid, long incarnation, int queueDepth, int maxFragments) {

    /** The reaction to a rejection. */
    public enum Reaction {
        /** Connect again, with the limits of the rejection. */
        RECONNECT,
        /** Fail the messages that wait for the connection. */
        GIVE_UP
    }

    /**
     * Judges the private data of a CM REQ that was parsed without a defect and is for our interface.
     *
     * @param request the message
     * @return why to reject it, or null to go on
     */
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
     * Judges the private data of a CM REP that was parsed without a defect. The numbers of this record are what the
     * request offered.
     *
     * @param reply the message
     * @param peer the peer to which the request was sent
     * @return 0, or the negative errno to close the connection with
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
     * Judges a rejection that was parsed without a defect. The numbers of this record are what the request offered.
     *
     * @param data the peer's reasons
     * @return whether trying again may help
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
