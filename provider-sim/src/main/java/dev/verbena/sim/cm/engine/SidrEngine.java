// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.SidrReply;
import dev.verbena.wire.mad.SidrRequest;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The component of {@link CmEngine} for service ID resolution: finds the UD queue pair that offers a service. Source:
 * InfiniBand Architecture Specification volume 1, section 12.11.
 */
public final class SidrEngine {
    private final MadAgent mads;
    private final CmListeners listeners;
    private final Map<Integer, SentSidrRequest> sent = new HashMap<>();
    private final Map<RemoteId, ReceivedSidrRequest> received = new HashMap<>();
    private final SidrRequest requestMessage = new SidrRequest();
    private final SidrReply replyMessage = new SidrReply();

    /** The map key of a received SIDR_REQ contains the peer's GID, because two peers may use the same request ID. */
    private record RemoteId(Gid peer, int id) {}

    SidrEngine(MadAgent mads, CmListeners listeners) {
        this.mads = mads;
        this.listeners = listeners;
    }

    public SentSidrRequest sendRequest(SidrRequestParameters parameters, SidrEndpoint owner, long now) {
        SentSidrRequest request =
                new SentSidrRequest(mads, mads.newId(sent::containsKey), parameters, owner, this::forget);
        sent.put(request.id(), request);
        request.begin(now);
        return request;
    }

    /**
     * Returns the number of sent and received SIDR_REQs. The number includes SIDR_REQs with a sent SIDR_REP, because the
     * peer may retransmit such a SIDR_REQ.
     */
    int size() {
        return sent.size() + received.size();
    }

    void onRequest(MemorySegment mad, Gid peer, Gid own) {
        requestMessage.wrap(mad, 0);
        int id = requestMessage.get(SidrRequest.REQUEST_ID);
        ReceivedSidrRequest known = received.get(new RemoteId(peer, id));
        if (known != null && known.isRepeatedBy(requestMessage)) {
            known.onRepetition();
            return;
        }
        if (!CmMessages.isGenuine(requestMessage, peer, own)) {
            mads.counters().malformed();
            refuse(SidrReplyParameters.REJECTED, peer, own);
            return;
        }
        SidrRequestParameters parameters = CmMessages.read(requestMessage, peer, own);
        CmListener listener = listeners.find(parameters.serviceId(), own, CmService.Datagrams.class);
        if (listener == null
                || !(listener.service() instanceof CmService.Datagrams(Consumer<ReceivedSidrRequest> endpoint))) {
            refuse(SidrReplyParameters.UNSUPPORTED, peer, own);
        } else if (received.size() >= CmConnectionTable.MOST_HALF_OPEN || !listener.admit()) {
            // A SIDR_REQ that exceeds a limit is dropped without a SIDR_REP, because the peer retransmits it later.
            mads.counters().backlogOverflow();
        } else {
            long transactionId = requestMessage.transactionId();
            ReceivedSidrRequest request = new ReceivedSidrRequest(mads, id, transactionId, parameters, this::forget);
            if (known != null) {
                known.forget();
            }
            received.put(new RemoteId(peer, id), request);
            endpoint.accept(request);
        }
    }

    private void refuse(int status, Gid peer, Gid own) {
        MemorySegment mad = mads.messages()
                .sidrReply(
                        requestMessage.transactionId(),
                        requestMessage.get(SidrRequest.REQUEST_ID),
                        requestMessage.getLong(SidrRequest.SERVICE_ID),
                        SidrReplyParameters.rejection(status, MemorySegment.NULL));
        mads.send(own, peer, CmAttribute.SIDR_REP, mad);
    }

    void onReply(MemorySegment mad, Gid peer) {
        replyMessage.wrap(mad, 0);
        SentSidrRequest request = sent.get(replyMessage.get(SidrReply.REQUEST_ID));
        if (request == null
                || !request.peerGid().equals(peer)
                || request.parameters().serviceId() != replyMessage.getLong(SidrReply.SERVICE_ID)) {
            mads.counters().unmatched();
        } else {
            request.onReply(CmMessages.read(replyMessage));
        }
    }

    private void forget(SentSidrRequest request) {
        sent.remove(request.id(), request);
    }

    private void forget(ReceivedSidrRequest request) {
        received.remove(new RemoteId(request.peerGid(), request.id()), request);
    }
}
