package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.SidrRequest;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A query of a peer. Its answer is kept for the time in which the peer may repeat the query because the answer was
 * lost.
 */
final class SidrQuestion extends CmExchange {
    private final SidrEngine sidr;
    private final int id;
    private final long transactionId;
    private final SidrParameters parameters;
    private @Nullable MemorySegment answer;

    SidrQuestion(CmEngine engine, SidrEngine sidr, int id, long transactionId, SidrParameters parameters) {
        super(engine);
        this.sidr = sidr;
        this.id = id;
        this.transactionId = transactionId;
        this.parameters = parameters;
    }

    /** {@return the peer's number for the query} */
    int id() {
        return id;
    }

    SidrParameters parameters() {
        return parameters;
    }

    boolean isAnswered() {
        return answer != null;
    }

    @Override
    Gid localGid() {
        return parameters.destination();
    }

    @Override
    Gid peerGid() {
        return parameters.source();
    }

    /** Answers; false if the query was already answered. */
    boolean answer(SidrAnswer said, long now) {
        if (answer != null) {
            return false;
        }
        MemorySegment mad = messages().sidrReply(transactionId, id, parameters.serviceId(), said);
        answer = mad;
        setDeadline(now + 2 * CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT));
        send(CmAttribute.SIDR_REP, mad);
        return true;
    }

    /** Handles a repetition of the query. */
    void onRepetition() {
        counters().duplicate(CmAttribute.SIDR_REQ);
        if (answer != null) {
            counters().retransmitted(CmAttribute.SIDR_REP);
            send(CmAttribute.SIDR_REP, answer);
        }
    }

    /** {@return whether a SIDR_REQ with the number of this query is a repetition of it, and not another query} */
    boolean isRepeatedBy(SidrRequest message) {
        return transactionId == message.header().transactionId()
                && parameters.serviceId() == message.serviceId()
                && parameters.sourcePort() == new RdmaCmHeader().wrap(message).port();
    }

    void forget() {
        rest();
        sidr.forget(this);
    }

    @Override
    void onExpired(long now) {
        forget();
    }
}
