package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an id says to its peer: asks for a connection, answers one that was asked for, ends it. Guarded by the manager's
 * lock; the queue pair is moved without it.
 */
final class IdDialogue {
    private final SimConnectionId id;
    private final SimConnectionManager manager;
    private final CmOutbox outbox;
    private final IdAddress address;

    private @Nullable CmConnection connection;
    private @Nullable AckTimeout ackTimeout;
    private boolean answering;

    IdDialogue(SimConnectionId id, SimConnectionManager manager, IdAddress address) {
        this.id = id;
        this.manager = manager;
        this.outbox = manager.outbox();
        this.address = address;
    }

    /** Begins with a request of the peer. Under the lock. */
    void ofRequest(CmConnection request) {
        connection = request;
    }

    void setAckTimeout(AckTimeout timeout) throws VerbsException {
        outbox.run(() -> {
            boolean asked = connection != null && connection.state() == CmState.REQ_RCVD && !answering;
            if (!asked) {
                id.require(
                        "rdma_set_option(ACK_TIMEOUT)",
                        "set it before connecting",
                        IdState.IDLE,
                        IdState.ADDR_BOUND,
                        IdState.ADDR_RESOLVED,
                        IdState.ROUTE_RESOLVED);
            }
            ackTimeout = timeout;
        });
    }

    void connect(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_connect";
        MemorySegment privateData =
                Negotiation.privateData(verb, parameters.privateData(), CmMessages.REQUEST_PRIVATE_DATA);
        outbox.run(() -> {
            id.require(verb, "wait for ROUTE_RESOLVED first", IdState.ROUTE_RESOLVED);
            CmAgent agent = address.agent().orElseThrow();
            RequestParameters request = Negotiation.request(
                    parameters, privateData, id.openQueuePair(), agent.device(), address, ackTimeout);
            connection = agent.engine().connect(request, id, agent.now());
            id.connecting();
        });
    }

    void accept(ConnectionParameters parameters) throws VerbsException {
        String verb = "rdma_accept";
        MemorySegment privateData =
                Negotiation.privateData(verb, parameters.privateData(), CmReply.PRIVATE_DATA_LENGTH);
        IdAnswer answer = outbox.call(() -> {
            CmConnection asked = requireUnanswered(verb);
            CmAgent agent = address.agent().orElseThrow();
            ReplyParameters reply =
                    Negotiation.reply(parameters, privateData, id.openQueuePair(), agent.device(), asked.request());
            answering = true;
            return answer(asked, reply, agent);
        });
        try {
            answer.moveQueuePair(verb);
        } catch (VerbsException e) {
            outbox.run(() -> {
                answering = false;
                answer.connection().reject(MemorySegment.NULL);
            });
            throw e;
        }
        outbox.run(() -> {
            answering = false;
            if (!answer.connection().accept(answer.reply(), manager.now())) {
                throw id.wrongState(verb, "the peer has given up, or the id was closed, meanwhile");
            }
        });
    }

    /** {@return what the REP that came means for the queue pair} Under the lock. */
    Optional<IdAnswer> answer(CmConnection subject) {
        ReplyParameters reply = subject.reply();
        return reply == null ? Optional.empty() : address.agent().map(agent -> answer(subject, reply, agent));
    }

    private IdAnswer answer(CmConnection subject, ReplyParameters reply, CmAgent agent) {
        AckTimeout timeout =
                ackTimeout == null ? AckTimeout.ofCode(subject.request().ackTimeout()) : ackTimeout;
        return new IdAnswer(
                subject, reply, id.openQueuePair(), QpDriver.attributes(subject, reply, agent.device(), timeout));
    }

    void reject(byte[] privateData) throws VerbsException {
        String verb = "rdma_reject";
        MemorySegment data = Negotiation.privateData(verb, privateData, CmReject.PRIVATE_DATA_LENGTH);
        outbox.run(() -> requireUnanswered(verb).reject(data));
    }

    private CmConnection requireUnanswered(String verb) throws VerbsException {
        id.require(verb, "it takes the id of a CONNECT_REQUEST", IdState.CONNECT);
        if (connection == null || connection.state() != CmState.REQ_RCVD || answering) {
            throw id.wrongState(verb, "it takes the id of a CONNECT_REQUEST that was not answered yet");
        }
        return connection;
    }

    void establish() throws VerbsException {
        outbox.run(() -> {
            if (id.openQueuePair().isPresent() || connection == null || !connection.establish()) {
                throw id.wrongState("rdma_establish", "it takes an id without queue pair after CONNECT_RESPONSE");
            }
        });
    }

    void notifyEstablished() throws VerbsException {
        outbox.run(() -> {
            if (connection == null || !connection.notifyEstablished()) {
                throw id.wrongState("rdma_notify", "it takes an id that was accepted");
            }
        });
    }

    void disconnect() throws VerbsException {
        String verb = "rdma_disconnect";
        Optional<QueuePair> present = outbox.call(() -> {
            id.require(verb, "there is no connection to end", IdState.CONNECT, IdState.DISCONNECT);
            if (id.state() == IdState.CONNECT && !wasEstablished()) {
                throw id.wrongState(verb, "the connection does not stand; close the id instead");
            }
            return id.openQueuePair();
        });
        present.ifPresent(QpDriver::fail);
        outbox.run(() -> {
            if (connection != null) {
                connection.disconnect(manager.now());
            }
        });
    }

    private boolean wasEstablished() {
        return connection != null
                && switch (connection.state()) {
                    case ESTABLISHED, DREQ_SENT, DREQ_RCVD, TIMEWAIT -> true;
                    case IDLE, REQ_SENT, REQ_RCVD, REP_SENT, REP_RCVD -> false;
                };
    }

    /** Ends the connection, if there is one, because the id goes. Under the lock. */
    void destroy() {
        if (connection != null) {
            connection.destroy(manager.now());
        }
    }

    /** {@return the state of the connection, to be put behind that of the id} Under the lock. */
    @Override
    public String toString() {
        return connection == null ? "" : "/" + connection.state();
    }
}
