package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.UdParameters;
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
 * The lookup of an id for datagrams: one side asks for the queue pair of a service, and the other one answers. Without
 * a connection, there is nothing to disconnect. Guarded by the manager's lock; the queue pair is moved without it.
 */
final class IdLookup implements IdTalk, SidrEndpoint {
    private static final MemorySegment NOTHING = MemorySegment.NULL;

    private final SimConnectionManager manager;
    private final CmLock lock;
    private final SimConnectionId id;
    private final IdLife life;
    private final IdAddress address;
    private final IdQueuePair queuePair;

    private @Nullable SidrQuery query;
    private @Nullable SidrQuestion question;
    private boolean answering;

    IdLookup(SimConnectionManager manager, SimConnectionId id, IdLife life, IdAddress address, IdQueuePair queuePair) {
        this.manager = manager;
        this.lock = manager.lock();
        this.id = id;
        this.life = life;
        this.address = address;
        this.queuePair = queuePair;
    }

    @Override
    public Set<QpType> queuePairTypes() {
        return EnumSet.of(QpType.UD);
    }

    @Override
    public CmService service() {
        return new CmService.Datagrams(this);
    }

    @Override
    public void connect(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_connect";
        MemorySegment privateData = Negotiation.privateData(
                verb, parameters.privateData(), id.portSpace().maxRequestPrivateData());
        lock.run(() -> {
            life.require(verb, "wait for ROUTE_RESOLVED first", IdState.ROUTE_RESOLVED);
            CmAgent agent = address.agent().orElseThrow();
            query = agent.engine()
                    .sidr()
                    .ask(Negotiation.question(id.portSpace(), privateData, address), this, agent.now());
            life.enter(IdState.CONNECT);
        });
    }

    @Override
    public void accept(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_accept";
        MemorySegment privateData = Negotiation.privateData(
                verb, parameters.privateData(), id.portSpace().maxReplyPrivateData());
        int qkey = parameters.qkey() == 0 ? QpDriver.UDP_QKEY : parameters.qkey();
        Optional<QueuePair> present = lock.call(() -> {
            requireUnanswered(verb);
            answering = true;
            return queuePair.open();
        });
        try {
            SidrAnswer answer =
                    new SidrAnswer(SidrAnswer.VALID, Negotiation.qpn(verb, parameters, present), qkey, privateData);
            if (present.isPresent() && qkey != QpDriver.UDP_QKEY) {
                QpDriver.setQkey(verb, present.get(), qkey);
            }
            lock.run(() -> {
                if (question == null || !question.answer(answer, manager.now())) {
                    throw life.wrongState(verb, "the id was closed meanwhile");
                }
            });
        } finally {
            lock.run(() -> answering = false);
        }
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        String verb = "rdma_reject";
        MemorySegment data =
                Negotiation.privateData(verb, privateData, id.portSpace().maxRejectPrivateData());
        lock.run(() -> requireUnanswered(verb).answer(SidrAnswer.refusal(SidrAnswer.REJECTED, data), manager.now()));
    }

    private SidrQuestion requireUnanswered(String verb) throws VerbsException {
        life.require(verb, "it takes the id of a CONNECT_REQUEST", IdState.CONNECT);
        if (question == null || question.isAnswered() || answering) {
            throw life.wrongState(verb, "it takes the id of a CONNECT_REQUEST that was not answered yet");
        }
        return question;
    }

    @Override
    public void establish() throws VerbsException {
        throw noConnection("rdma_establish");
    }

    @Override
    public void notifyEstablished() throws VerbsException {
        throw noConnection("rdma_notify");
    }

    @Override
    public void disconnect() throws VerbsException {
        throw noConnection("rdma_disconnect");
    }

    @Override
    public QpAttributes initQpAttributes(QpState next) throws VerbsException {
        String verb = "rdma_init_qp_attr";
        lock.run(() -> id.requireDevice(verb));
        return QpDriver.ofDatagrams(verb, next);
    }

    @Override
    public void setAckTimeout(AckTimeout timeout) throws VerbsException {
        throw noConnection("rdma_set_option(ACK_TIMEOUT)");
    }

    private VerbsException noConnection(String verb) {
        return lock.call(() -> life.wrongState(verb, "an id for datagrams has no connection; close it instead"));
    }

    @Override
    public void destroy() {
        if (query != null) {
            query.close();
        }
        if (question != null) {
            question.answer(SidrAnswer.refusal(SidrAnswer.REJECTED, NOTHING), manager.now());
        }
    }

    @Override
    public String describeState() {
        return question == null || question.isAnswered() ? "" : "/SIDR_REQ_RCVD";
    }

    // Indications of the engine.

    @Override
    public void onQuestion(SidrQuestion asked) {
        manager.agentOf(asked.engine()).ifPresent(agent -> {
            SimConnectionId made = id.requested();
            made.ofQuestion(asked, agent);
            life.announce(
                    CmEventType.CONNECT_REQUEST,
                    made,
                    CmEventData.ofPrivateData(
                            Negotiation.bytes(asked.parameters().privateData())));
        });
    }

    /** Makes this the id of a CONNECT_REQUEST. Call only with the lock. */
    void ofQuestion(SidrQuestion asked, CmAgent agent) {
        SidrParameters parameters = asked.parameters();
        question = asked;
        life.enter(IdState.CONNECT);
        address.ofRequest(
                parameters.serviceId(), parameters.destination(), parameters.source(), parameters.sourcePort(), agent);
    }

    @Override
    public void onAnswer(SidrQuery asked, SidrAnswer answer) {
        byte[] privateData = Negotiation.bytes(answer.privateData());
        Optional<UdParameters> parameters = answer.status() == SidrAnswer.VALID
                ? address.agent().map(agent -> parameters(asked.parameters(), answer, agent))
                : Optional.empty();
        if (parameters.isPresent()) {
            life.emit(CmEventType.ESTABLISHED, 0, CmEventData.ofDatagrams(privateData, parameters.get()));
        } else {
            life.emit(CmEventType.UNREACHABLE, answer.status(), CmEventData.ofPrivateData(privateData));
        }
    }

    @Override
    public void onSilence(SidrQuery asked) {
        life.emit(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number());
    }

    private UdParameters parameters(SidrParameters asked, SidrAnswer answer, CmAgent agent) {
        int flowLabel = UdpSourcePort.cmFlowLabel(address.localPort(), address.peerPort());
        return new UdParameters(
                QpDriver.path(agent.device(), asked.source(), asked.destination(), flowLabel, address.typeOfService()),
                answer.qpn(),
                answer.qkey());
    }
}
