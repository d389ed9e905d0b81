package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import org.jspecify.annotations.Nullable;

/** A query of this side for the queue pair of a service. Repeated until it is answered. */
final class SidrQuery extends CmExchange {
    private final SidrEngine sidr;
    private final int id;
    private final SidrParameters parameters;
    private @Nullable SidrEndpoint owner;

    SidrQuery(CmEngine engine, SidrEngine sidr, int id, SidrParameters parameters, SidrEndpoint owner) {
        super(engine);
        this.sidr = sidr;
        this.id = id;
        this.parameters = parameters;
        this.owner = owner;
    }

    int id() {
        return id;
    }

    SidrParameters parameters() {
        return parameters;
    }

    @Override
    Gid localGid() {
        return parameters.source();
    }

    @Override
    Gid peerGid() {
        return parameters.destination();
    }

    void ask(long now) {
        repeat(
                CmAttribute.SIDR_REQ,
                messages().sidrRequest(id, parameters),
                CmTiming.MAX_RETRIES + 1,
                CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT),
                now);
    }

    /** Ends the query, because its owner is destroyed or has an answer. */
    void close() {
        owner = null;
        rest();
        sidr.forget(this);
    }

    void onAnswer(SidrAnswer answer) {
        SidrEndpoint asking = owner;
        close();
        if (asking != null) {
            asking.onAnswer(this, answer);
        }
    }

    @Override
    void onExpired(long now) {
        SidrEndpoint asking = owner;
        close();
        if (asking != null) {
            asking.onSilence(this);
        }
    }
}
