// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.UdParameters;
import dev.verbena.sim.cm.engine.ReceivedSidrRequest;
import dev.verbena.sim.cm.engine.SentSidrRequest;
import dev.verbena.sim.cm.engine.SidrEndpoint;
import dev.verbena.sim.cm.engine.SidrReplyParameters;
import dev.verbena.sim.cm.engine.SidrRequestParameters;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.UdpSourcePort;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The service ID resolution (SIDR) protocol for datagrams. The active side requests the queue pair of a service, and
 * the passive side replies. Disconnecting does nothing, because SIDR creates no connection.
 */
final class IdServiceResolution extends IdProtocol implements SidrEndpoint {
    private static final MemorySegment NOTHING = MemorySegment.NULL;

    private @Nullable SentSidrRequest sent;
    private @Nullable ReceivedSidrRequest received;

    IdServiceResolution(CmLock lock, SimRuntime runtime, IdLife life, IdAddress address, IdQueuePair queuePair) {
        super(lock, runtime, life, address, queuePair);
    }

    @Override
    Set<QpType> queuePairTypes() {
        return EnumSet.of(QpType.UD);
    }

    @Override
    void request(ConnectionParameters parameters, MemorySegment privateData, CmAgent agent) {
        sent = agent.engine()
                .sidr()
                .sendRequest(Negotiation.sidrRequest(life.id().portSpace(), privateData, address), this, agent.now());
    }

    @Override
    void accept(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_accept";
        MemorySegment privateData = Negotiation.privateData(
                verb, parameters.privateData(), life.id().portSpace().maxReplyPrivateData());
        int qkey = parameters.qkey() == 0 ? QpDriver.UDP_QKEY : parameters.qkey();
        Optional<QueuePair> present = lock.call(() -> {
            requireUnanswered(verb);
            accepting = true;
            return queuePair.open();
        });
        try {
            SidrReplyParameters reply = new SidrReplyParameters(
                    SidrReplyParameters.VALID, Negotiation.qpn(verb, parameters, present), qkey, privateData);
            if (present.isPresent() && qkey != QpDriver.UDP_QKEY) {
                QpDriver.setQkey(verb, present.get(), qkey);
            }
            lock.run(() -> {
                if (received == null || !received.reply(reply, runtime.nanoTime())) {
                    throw life.wrongState(verb, "the id was closed meanwhile");
                }
            });
        } finally {
            lock.run(() -> accepting = false);
        }
    }

    @Override
    void reject(String verb, MemorySegment privateData) throws VerbsException {
        requireUnanswered(verb)
                .reply(SidrReplyParameters.rejection(SidrReplyParameters.REJECTED, privateData), runtime.nanoTime());
    }

    private ReceivedSidrRequest requireUnanswered(String verb) throws VerbsException {
        life.require(verb, "the call needs the id of a CONNECT_REQUEST event", IdState.CONNECT);
        if (received == null || received.isReplied() || accepting) {
            throw life.wrongState(verb, "the call needs the id of a CONNECT_REQUEST event that was not answered yet");
        }
        return received;
    }

    @Override
    void establish() throws VerbsException {
        throw noConnection("rdma_establish");
    }

    @Override
    void notifyEstablished() throws VerbsException {
        throw noConnection("rdma_notify");
    }

    @Override
    void disconnect() throws VerbsException {
        throw noConnection("rdma_disconnect");
    }

    @Override
    QpAttributes initQpAttributes(QpState next) throws VerbsException {
        String verb = "rdma_init_qp_attr";
        lock.run(() -> address.requireAgent(verb));
        return QpDriver.ofDatagrams(verb, next);
    }

    @Override
    void setAckTimeout(AckTimeout timeout) throws VerbsException {
        throw noConnection("rdma_set_option(ACK_TIMEOUT)");
    }

    private VerbsException noConnection(String verb) {
        return lock.call(() -> life.wrongState(verb, "an id for datagrams has no connection; close it instead"));
    }

    @Override
    void destroy() {
        if (sent != null) {
            sent.close();
        }
        if (received != null) {
            received.reply(SidrReplyParameters.rejection(SidrReplyParameters.REJECTED, NOTHING), runtime.nanoTime());
        }
    }

    @Override
    String describeState() {
        return received == null || received.isReplied() ? "" : "/SIDR_REQ_RCVD";
    }

    /** Makes this rdma_cm ID answer a SIDR_REQ, and returns the data of the CONNECT_REQUEST event. Call only with the lock. */
    CmEventData ofRequest(ReceivedSidrRequest request, CmAgent agent) {
        SidrRequestParameters parameters = request.parameters();
        received = request;
        life.enter(IdState.CONNECT);
        address.ofRequest(
                parameters.serviceId(), parameters.destination(), parameters.source(), parameters.sourcePort(), agent);
        return CmEventData.ofPrivateData(Negotiation.bytes(parameters.privateData()));
    }

    @Override
    public void onReply(SentSidrRequest request, SidrReplyParameters reply) {
        byte[] privateData = Negotiation.bytes(reply.privateData());
        Optional<UdParameters> parameters = reply.status() == SidrReplyParameters.VALID
                ? address.agent().map(agent -> parameters(request.parameters(), reply, agent))
                : Optional.empty();
        if (parameters.isPresent()) {
            life.emit(CmEventType.ESTABLISHED, 0, CmEventData.ofDatagrams(privateData, parameters.get()));
        } else {
            life.emit(CmEventType.UNREACHABLE, reply.status(), CmEventData.ofPrivateData(privateData));
        }
    }

    @Override
    public void onTimeout(SentSidrRequest request) {
        life.emit(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number());
    }

    private UdParameters parameters(SidrRequestParameters asked, SidrReplyParameters reply, CmAgent agent) {
        int flowLabel = UdpSourcePort.cmFlowLabel(address.localPort(), address.peerPort());
        return new UdParameters(
                QpDriver.path(agent.device(), asked.source(), asked.destination(), flowLabel, address.typeOfService()),
                reply.qpn(),
                reply.qkey());
    }
}
