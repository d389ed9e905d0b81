// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A local SIDR_REQ, which requests the QPN of a service and is retransmitted until the peer replies. */
public final class SentSidrRequest extends CmExchange {
    private final Consumer<SentSidrRequest> onClose;
    private final int id;
    private final SidrRequestParameters parameters;
    private @Nullable SidrEndpoint owner;

    SentSidrRequest(
            MadAgent mads,
            int id,
            SidrRequestParameters parameters,
            SidrEndpoint owner,
            Consumer<SentSidrRequest> onClose) {
        super(mads);
        this.onClose = onClose;
        this.id = id;
        this.parameters = parameters;
        this.owner = owner;
    }

    int id() {
        return id;
    }

    public SidrRequestParameters parameters() {
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

    void begin(long now) {
        repeat(
                CmAttribute.SIDR_REQ,
                messages().sidrRequest(id, parameters),
                CmTiming.MAX_RETRIES + 1,
                CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT),
                now);
    }

    /** Stops the retransmission. Called for a SIDR_REP, after a timeout, or when the {@link SidrEndpoint} is destroyed. */
    public void close() {
        owner = null;
        stopRepeating();
        onClose.accept(this);
    }

    void onReply(SidrReplyParameters reply) {
        SidrEndpoint requester = owner;
        close();
        if (requester != null) {
            requester.onReply(this, reply);
        }
    }

    @Override
    void onExpired(long now) {
        SidrEndpoint requester = owner;
        close();
        if (requester != null) {
            requester.onTimeout(this);
        }
    }
}
