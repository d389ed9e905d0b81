// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.SidrRequest;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A SIDR_REQ of a peer. Stores the SIDR_REP, because the peer retransmits the SIDR_REQ if the SIDR_REP is lost. */
public final class ReceivedSidrRequest extends CmExchange {
    private final Consumer<ReceivedSidrRequest> onForget;
    private final int id;
    private final long transactionId;
    private final SidrRequestParameters parameters;
    private @Nullable MemorySegment reply;

    ReceivedSidrRequest(
            MadAgent mads,
            int id,
            long transactionId,
            SidrRequestParameters parameters,
            Consumer<ReceivedSidrRequest> onForget) {
        super(mads);
        this.onForget = onForget;
        this.id = id;
        this.transactionId = transactionId;
        this.parameters = parameters;
    }

    int id() {
        return id;
    }

    public SidrRequestParameters parameters() {
        return parameters;
    }

    public boolean isReplied() {
        return reply != null;
    }

    @Override
    Gid localGid() {
        return parameters.destination();
    }

    @Override
    Gid peerGid() {
        return parameters.source();
    }

    /** Sends the SIDR_REP. Returns false if a SIDR_REP was already sent. */
    public boolean reply(SidrReplyParameters replyParameters, long now) {
        if (reply != null) {
            return false;
        }
        MemorySegment mad = messages().sidrReply(transactionId, id, parameters.serviceId(), replyParameters);
        reply = mad;
        setDeadline(now + 2 * CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT));
        send(CmAttribute.SIDR_REP, mad);
        return true;
    }

    void onRepetition() {
        counters().duplicate(CmAttribute.SIDR_REQ);
        if (reply != null) {
            counters().retransmitted(CmAttribute.SIDR_REP);
            send(CmAttribute.SIDR_REP, reply);
        }
    }

    /** Returns whether {@code message}, a SIDR_REQ with the same request ID, is a retransmission of this SIDR_REQ. */
    boolean isRepeatedBy(SidrRequest message) {
        return transactionId == message.transactionId()
                && parameters.serviceId() == message.getLong(SidrRequest.SERVICE_ID)
                && parameters.sourcePort() == new RdmaCmHeader().wrap(message).get(RdmaCmHeader.PORT);
    }

    void forget() {
        stopRepeating();
        onForget.accept(this);
    }

    @Override
    void onExpired(long now) {
        forget();
    }
}
