package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.SidrRequest;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A question of a peer. Its answer is kept as long as the peer may repeat the question for not having got it. */
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

    /** {@return the peer's number for the question} */
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

    /** Answers; false if that has happened already. */
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

    /** The peer asks once more. */
    void onRepetition() {
        counters().duplicate(CmAttribute.SIDR_REQ);
        if (answer != null) {
            counters().retransmitted(CmAttribute.SIDR_REP);
            send(CmAttribute.SIDR_REP, answer);
        }
    }

    /** {@return whether a SIDR_REQ with the number of this question is this question once more, and not another one} */
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
