package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
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
        send(CmAttribute.SIDR_REP, mad);
        setDeadline(now + 2 * CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT));
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

    @Override
    void onExpired(long now) {
        rest();
        sidr.forget(this);
    }
}
