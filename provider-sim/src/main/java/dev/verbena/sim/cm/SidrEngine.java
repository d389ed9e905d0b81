package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.SidrReply;
import dev.verbena.wire.mad.SidrRequest;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Service ID resolution of one device: which queue pair offers a service for datagrams. A part of {@link CmEngine},
 * without side effects.
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.11.
 */
final class SidrEngine {
    private final CmEngine engine;
    private final Map<Integer, SidrQuery> queries = new HashMap<>();
    private final Map<Asked, SidrQuestion> questions = new HashMap<>();
    private final SidrRequest request = new SidrRequest();
    private final SidrReply reply = new SidrReply();

    /** The key of a question: the peer's number is unique only together with the peer. */
    private record Asked(Gid peer, int id) {}

    SidrEngine(CmEngine engine) {
        this.engine = engine;
    }

    /** Sends a query. The owner receives the outcome. */
    SidrQuery ask(SidrParameters parameters, SidrEndpoint owner, long now) {
        SidrQuery query = new SidrQuery(engine, this, engine.newLocalId(queries::containsKey), parameters, owner);
        queries.put(query.id(), query);
        query.ask(now);
        return query;
    }

    /** {@return the number of queries of either side, including answered ones that the peer may repeat} */
    int size() {
        return queries.size() + questions.size();
    }

    void onRequest(MemorySegment mad, Gid peer, Gid own) {
        request.wrap(mad, 0);
        int id = request.requestId();
        SidrQuestion known = questions.get(new Asked(peer, id));
        if (known != null && known.isRepeatedBy(request)) {
            known.onRepetition();
            return;
        }
        if (!engine.isGenuine(request, peer, own)) {
            engine.counters().malformed();
            refuse(SidrAnswer.REJECTED, peer, own);
            return;
        }
        SidrParameters parameters = CmMessages.read(request, peer, own);
        CmListener listener = engine.find(parameters.serviceId(), own, CmService.Datagrams.class);
        if (listener == null || !(listener.service() instanceof CmService.Datagrams(SidrEndpoint endpoint))) {
            refuse(SidrAnswer.UNSUPPORTED, peer, own);
        } else if (questions.size() >= CmEngine.MOST_HALF_OPEN || !listener.admit()) {
            // No answer: the peer repeats the query later, when there may be room.
            engine.counters().backlogOverflow();
        } else {
            long transactionId = request.header().transactionId();
            SidrQuestion question = new SidrQuestion(engine, this, id, transactionId, parameters);
            if (known != null) {
                known.forget();
            }
            questions.put(new Asked(peer, id), question);
            endpoint.onQuestion(question);
        }
    }

    private void refuse(int status, Gid peer, Gid own) {
        MemorySegment mad = engine.messages()
                .sidrReply(
                        request.header().transactionId(),
                        request.requestId(),
                        request.serviceId(),
                        SidrAnswer.refusal(status, MemorySegment.NULL));
        engine.transmit(own, peer, CmAttribute.SIDR_REP, mad);
    }

    void onReply(MemorySegment mad, Gid peer) {
        reply.wrap(mad, 0);
        SidrQuery query = queries.get(reply.requestId());
        if (query == null || !query.peerGid().equals(peer) || query.parameters().serviceId() != reply.serviceId()) {
            engine.counters().unmatched();
        } else {
            query.onAnswer(CmMessages.read(reply));
        }
    }

    void forget(SidrQuery query) {
        queries.remove(query.id(), query);
    }

    void forget(SidrQuestion question) {
        questions.remove(new Asked(question.peerGid(), question.id()), question);
    }
}
