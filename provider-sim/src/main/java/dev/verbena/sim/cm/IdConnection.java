// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.cm.engine.CmConnection;
import dev.verbena.sim.cm.engine.CmEndpoint;
import dev.verbena.sim.cm.engine.CmIndication;
import dev.verbena.sim.cm.engine.CmState;
import dev.verbena.sim.cm.engine.ReplyParameters;
import dev.verbena.sim.cm.engine.RequestParameters;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.mad.CmRequest;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Connects and disconnects an rdma_cm ID. Converts a {@link CmIndication} to events and queue pair states. */
final class IdConnection extends IdProtocol implements CmEndpoint {
    private @Nullable CmConnection connection;
    private @Nullable AckTimeout ackTimeout;

    IdConnection(CmLock lock, SimRuntime runtime, IdLife life, IdAddress address, IdQueuePair queuePair) {
        super(lock, runtime, life, address, queuePair);
    }

    @Override
    Set<QpType> queuePairTypes() {
        if (life.id().portSpace() == PortSpace.TCP) {
            return EnumSet.of(QpType.RC);
        }
        if (connection == null) {
            return EnumSet.of(QpType.RC, QpType.UC);
        }
        return EnumSet.of(connection.communication().request().transport() == CmRequest.UC ? QpType.UC : QpType.RC);
    }

    @Override
    void request(ConnectionParameters parameters, MemorySegment privateData, CmAgent agent) throws VerbsException {
        RequestParameters request = Negotiation.request(
                life.id().portSpace(), parameters, privateData, queuePair.open(), agent.device(), address, ackTimeout);
        connection = agent.engine().connect(request, this, agent.now());
    }

    @Override
    void accept(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_accept";
        MemorySegment privateData = Negotiation.privateData(
                verb, parameters.privateData(), life.id().portSpace().maxReplyPrivateData());
        IdReply reply = lock.call(() -> {
            CmConnection asked = requireUnanswered(verb);
            CmAgent agent = address.agent().orElseThrow();
            Optional<QueuePair> present = queuePair.open();
            ReplyParameters replyParameters = Negotiation.reply(
                    parameters,
                    privateData,
                    Negotiation.qpn(verb, parameters, present),
                    Negotiation.srq(parameters, present),
                    agent.device(),
                    asked.communication().request());
            IdReply made = reply(asked, replyParameters, agent);
            accepting = true;
            return made;
        });
        try {
            reply.moveQueuePair(verb);
        } catch (VerbsException | RuntimeException | Error e) {
            lock.run(() -> {
                accepting = false;
                reply.connection().reject(MemorySegment.NULL);
            });
            throw e;
        }
        lock.run(() -> {
            accepting = false;
            if (!reply.connection().accept(reply.parameters(), runtime.nanoTime())) {
                throw life.wrongState(verb, "the peer abandoned the connection, or the id was closed, during the call");
            }
        });
    }

    @Override
    void reject(String verb, MemorySegment privateData) throws VerbsException {
        requireUnanswered(verb).reject(privateData);
    }

    private CmConnection requireUnanswered(String verb) throws VerbsException {
        life.require(verb, "the call needs the id of a CONNECT_REQUEST event", IdState.CONNECT);
        if (connection == null || !isUnanswered()) {
            throw life.wrongState(verb, "the call needs the id of a CONNECT_REQUEST event that was not answered yet");
        }
        return connection;
    }

    private boolean isUnanswered() {
        return connection != null && connection.state() == CmState.REQ_RCVD && !accepting;
    }

    @Override
    void establish() throws VerbsException {
        lock.run(() -> {
            if (queuePair.open().isPresent() || connection == null || !connection.establish()) {
                throw life.wrongState(
                        "rdma_establish", "the call needs an id without queue pair after CONNECT_RESPONSE");
            }
        });
    }

    @Override
    void notifyEstablished() throws VerbsException {
        lock.run(() -> {
            if (connection != null && connection.state() == CmState.ESTABLISHED) {
                throw new VerbsException(
                        Errno.EISCONN, "rdma_notify", life.id() + ": the peer's RTU has already arrived");
            }
            if (connection == null || !connection.notifyEstablished()) {
                throw life.wrongState("rdma_notify", "the call needs the id of an accepted CONNECT_REQUEST");
            }
        });
    }

    @Override
    void disconnect() throws VerbsException {
        String verb = "rdma_disconnect";
        Optional<QueuePair> present = lock.call(() -> {
            life.require(verb, "the id has no connection to disconnect", IdState.CONNECT, IdState.DISCONNECT);
            return queuePair.open();
        });
        present.ifPresent(QpDriver::fail);
        lock.run(() -> {
            if (connection != null) {
                connection.disconnect(runtime.nanoTime());
            }
        });
    }

    @Override
    void setAckTimeout(AckTimeout timeout) throws VerbsException {
        lock.run(() -> {
            if (life.state() == IdState.CLOSED) {
                throw life.wrongState("rdma_set_option(ACK_TIMEOUT)", "make a new id");
            }
            ackTimeout = timeout;
        });
    }

    @Override
    void destroy() {
        if (connection != null) {
            connection.destroy(runtime.nanoTime());
        }
    }

    @Override
    QpAttributes initQpAttributes(QpState next) throws VerbsException {
        String verb = "rdma_init_qp_attr";
        return lock.call(() -> {
            CmAgent agent = address.requireAgent(verb);
            return switch (next) {
                case INIT -> QpDriver.toInit(queuePairTypes().iterator().next());
                case RTR -> attributes(verb, agent).toRtr();
                case RTS -> attributes(verb, agent).toRts();
                default -> throw QpDriver.notGiven(verb, next);
            };
        });
    }

    private QpDriver.Attributes attributes(String verb, CmAgent agent) throws VerbsException {
        CmConnection known = connection;
        if (known == null) {
            throw unknownPeer(verb);
        }
        return switch (known.state()) {
            case REQ_RCVD, REP_SENT, REP_RCVD, ESTABLISHED -> {
                ReplyParameters reply = known.communication().reply();
                yield attributes(known, reply == null ? usualReply(known, agent) : reply, agent);
            }
            case IDLE, REQ_SENT, DREQ_SENT, DREQ_RCVD, TIMEWAIT -> throw unknownPeer(verb);
        };
    }

    private VerbsException unknownPeer(String verb) {
        return life.wrongState(
                verb, "the attributes are available only from CONNECT_REQUEST or CONNECT_RESPONSE until DISCONNECTED");
    }

    /** Returns REP parameters with the maximum responder resources and initiator depth that REQ and device permit. */
    private static ReplyParameters usualReply(CmConnection asked, CmAgent agent) {
        return Negotiation.reply(
                ConnectionParameters.builder().build(),
                MemorySegment.NULL,
                0,
                false,
                agent.device(),
                asked.communication().request());
    }

    private QpDriver.Attributes attributes(CmConnection subject, ReplyParameters reply, CmAgent agent) {
        AckTimeout timeout = ackTimeout == null
                ? AckTimeout.ofCode(subject.communication().request().ackTimeout())
                : ackTimeout;
        return QpDriver.attributes(subject.communication(), reply, agent.device(), timeout);
    }

    @Override
    public void onIndication(CmConnection subject, CmIndication indication) {
        lock.afterUnlock(() -> new IdReaction(this, lock, subject).to(indication));
    }

    /** Sets the connection of this rdma_cm ID, and returns the data of its CONNECT_REQUEST event. Call with the CM lock. */
    CmEventData ofRequest(CmConnection subject, CmAgent agent) {
        subject.setOwner(this);
        connection = subject;
        life.enter(IdState.CONNECT);
        RequestParameters request = subject.communication().request();
        address.ofRequest(request.serviceId(), request.destination(), request.source(), request.sourcePort(), agent);
        address.setTypeOfService(request.trafficClass());
        return CmEventData.ofConnection(Negotiation.bytes(request.privateData()), Negotiation.offered(request));
    }

    /**
     * Returns the sent or received REP of a connection, with the queue pair attributes that follow from this REP. Returns
     * empty before a REP is sent or received, and while the rdma_cm ID has no device. Call only with the CM lock.
     */
    Optional<IdReply> reply(CmConnection subject) {
        ReplyParameters reply = subject.communication().reply();
        return reply == null ? Optional.empty() : address.agent().map(agent -> reply(subject, reply, agent));
    }

    private IdReply reply(CmConnection subject, ReplyParameters reply, CmAgent agent) {
        return new IdReply(subject, reply, queuePair.open(), attributes(subject, reply, agent));
    }

    /** Reports the DISCONNECTED event once, regardless of which peer disconnected first. Call only with the CM lock. */
    void disconnected(int status) {
        life.emit(CmEventType.DISCONNECTED, status);
        if (life.state() == IdState.CONNECT) {
            life.enter(IdState.DISCONNECT);
        }
    }

    IdLife life() {
        return life;
    }

    Optional<QueuePair> openQueuePair() {
        return queuePair.open();
    }

    @Override
    String describeState() {
        return connection == null ? "" : "/" + connection.state();
    }
}
