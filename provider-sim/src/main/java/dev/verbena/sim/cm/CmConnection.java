package dev.verbena.sim.cm;

import dev.verbena.sim.cm.CmIndication.Kind;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.RejectReason;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a {@link CmEngine} and its states. Every event is a method with one switch; the engine finds the
 * connection that an event belongs to. A connection outlives its owner until timewait is over.
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.9; where that leaves a choice, Linux's ib_cm.
 */
final class CmConnection {
    private final CmEngine engine;
    private final long serial;
    private final boolean active;
    private final int localId;
    private final int localPsn;
    private final long transactionId;
    private final RequestParameters request;
    private final int tries;
    private final long responseNanos;
    private final @Nullable CmListener listener;

    private CmState state = CmState.IDLE;
    private @Nullable CmEndpoint owner;
    private @Nullable ReplyParameters reply;
    private long remoteGuid;
    private int remoteId;
    private int remotePsn;
    private long disconnectTransactionId;

    private @Nullable MemorySegment repeated;
    private CmAttribute repeatedMessage = CmAttribute.REQ;
    private int triesLeft;
    private long interval;
    private long deadline = CmOutput.NEVER;

    /** Makes the active side; {@link #connect} sends the REQ. */
    CmConnection(CmEngine engine, long serial, int localId, int localPsn, RequestParameters request, CmEndpoint owner) {
        this.engine = engine;
        this.serial = serial;
        this.active = true;
        this.localId = localId;
        this.localPsn = localPsn;
        this.transactionId = CmMessages.transactionId(localId);
        this.request = request;
        this.owner = owner;
        this.tries = CmTiming.MAX_RETRIES + 1;
        this.responseNanos = CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT) + CmTiming.nanos(request.ackTimeout());
        this.listener = null;
    }

    /** Makes the passive side of a REQ. */
    CmConnection(
            CmEngine engine,
            long serial,
            int localId,
            int localPsn,
            RequestParameters request,
            CmListener listener,
            Peer peer) {
        this.engine = engine;
        this.serial = serial;
        this.active = false;
        this.localId = localId;
        this.localPsn = localPsn;
        this.transactionId = peer.transactionId();
        this.request = request;
        this.listener = listener;
        this.tries = peer.maxRetries() + 1;
        this.responseNanos = CmTiming.nanos(peer.responseTimeout());
        this.remoteGuid = peer.guid();
        this.remoteId = peer.communicationId();
        this.remotePsn = peer.startingPsn();
        this.state = CmState.REQ_RCVD;
    }

    /**
     * The protocol's numbers in a REQ.
     *
     * @param transactionId of the exchange
     * @param guid the sender's node GUID
     * @param communicationId the sender's id
     * @param startingPsn what the receiver starts sending with
     * @param maxRetries how often the sender repeats its messages
     * @param responseTimeout how long the sender takes to answer, as exponent
     */
    record Peer(
            long transactionId, long guid, int communicationId, int startingPsn, int maxRetries, int responseTimeout) {}

    CmEngine engine() {
        return engine;
    }

    CmState state() {
        return state;
    }

    boolean active() {
        return active;
    }

    RequestParameters request() {
        return request;
    }

    /** {@return what the passive side answered, null before it did} */
    @Nullable ReplyParameters reply() {
        return reply;
    }

    /** {@return the PSN that the peer starts sending with, which is what the own receive queue has to expect} */
    int localPsn() {
        return localPsn;
    }

    /** {@return the PSN that the own send queue has to start with; valid on the active side after the REP} */
    int remotePsn() {
        return remotePsn;
    }

    Gid localGid() {
        return active ? request.source() : request.destination();
    }

    Gid peerGid() {
        return active ? request.destination() : request.source();
    }

    int localId() {
        return localId;
    }

    int remoteId() {
        return remoteId;
    }

    long remoteGuid() {
        return remoteGuid;
    }

    long serial() {
        return serial;
    }

    long deadline() {
        return deadline;
    }

    @Nullable CmEndpoint owner() {
        return owner;
    }

    /** Says who owns the connection that a REQ made. */
    void setOwner(CmEndpoint newOwner) {
        owner = newOwner;
    }

    int remoteQpn() {
        return active ? (reply == null ? 0 : reply.qpn()) : request.qpn();
    }

    private int localQpn() {
        return active ? request.qpn() : (reply == null ? 0 : reply.qpn());
    }

    // What the user asks for. Each answers whether the state allows it.

    void connect(long now) {
        enter(CmState.REQ_SENT);
        repeat(CmAttribute.REQ, engine.messages().request(localId, localPsn, request), responseNanos, now);
    }

    boolean accept(ReplyParameters parameters, long now) {
        if (state != CmState.REQ_RCVD) {
            return false;
        }
        reply = parameters;
        enter(CmState.REP_SENT);
        MemorySegment mad = engine.messages().reply(transactionId, localId, remoteId, localPsn, parameters);
        repeat(CmAttribute.REP, mad, responseNanos, now);
        return true;
    }

    boolean reject(MemorySegment privateData) {
        return switch (state) {
            case REQ_RCVD -> {
                sendReject(CmReject.REQ, RejectReason.CONSUMER_REJECT, new byte[0], privateData);
                forget();
                yield true;
            }
            case REP_RCVD -> {
                sendReject(CmReject.REP, RejectReason.CONSUMER_REJECT, new byte[0], privateData);
                forget();
                yield true;
            }
            default -> false;
        };
    }

    /** The own queue pair is ready: tells the peer so. */
    boolean establish() {
        if (state != CmState.REP_RCVD) {
            return false;
        }
        enter(CmState.ESTABLISHED);
        sendReadyToUse();
        return true;
    }

    /** The peer's first packet came before its RTU. */
    boolean notifyEstablished() {
        return switch (state) {
            case REP_SENT -> {
                enter(CmState.ESTABLISHED);
                indicate(CmIndication.of(Kind.ESTABLISHED));
                yield true;
            }
            case ESTABLISHED -> true;
            default -> false;
        };
    }

    /** Begins to disconnect, or answers the peer who has begun; otherwise there is nothing to do. */
    void disconnect(long now) {
        switch (state) {
            case ESTABLISHED -> {
                enter(CmState.DREQ_SENT);
                repeat(CmAttribute.DREQ, disconnectRequest(), disconnectNanos(), now);
            }
            case DREQ_RCVD -> {
                sendDisconnectReply(disconnectTransactionId);
                enterTimewait(now);
            }
            default -> {}
        }
    }

    /** The owner goes; nobody is told anything any more. */
    void destroy(long now) {
        owner = null;
        switch (state) {
            case IDLE, TIMEWAIT -> {}
            case REQ_SENT -> {
                byte[] self = engine.messages().guidInformation();
                sendReject(CmReject.OTHER, RejectReason.TIMEOUT, self, MemorySegment.NULL);
                forget();
            }
            case REQ_RCVD, REP_RCVD -> reject(MemorySegment.NULL);
            case REP_SENT -> {
                sendReject(CmReject.OTHER, RejectReason.CONSUMER_REJECT, new byte[0], MemorySegment.NULL);
                enterTimewait(now);
            }
            case ESTABLISHED -> {
                engine.transmit(this, CmAttribute.DREQ, disconnectRequest());
                enterTimewait(now);
            }
            case DREQ_SENT -> enterTimewait(now);
            case DREQ_RCVD -> disconnect(now);
        }
    }

    // What the peer says.

    void onDuplicateRequest() {
        engine.counters().duplicate(CmAttribute.REQ);
        switch (state) {
            // The REP was lost, or is on its way; this saves the rest of the interval.
            case REP_SENT -> {
                if (repeated != null) {
                    engine.transmit(this, CmAttribute.REP, repeated);
                }
            }
            case TIMEWAIT -> sendReject(CmReject.REQ, RejectReason.STALE_CONNECTION, new byte[0], MemorySegment.NULL);
            default -> {}
        }
    }

    void onReply(CmReply message) {
        switch (state) {
            case REQ_SENT -> {
                remoteGuid = message.localCaGuid();
                remoteId = message.localCommId();
                remotePsn = message.startingPsn();
                reply = CmMessages.read(message);
                engine.index(this);
                enter(CmState.REP_RCVD);
                indicate(CmIndication.of(Kind.REPLIED));
            }
            case ESTABLISHED -> {
                engine.counters().duplicate(CmAttribute.REP);
                sendReadyToUse();
            }
            default -> engine.counters().duplicate(CmAttribute.REP);
        }
    }

    void onReadyToUse() {
        switch (state) {
            case REP_SENT -> {
                enter(CmState.ESTABLISHED);
                indicate(CmIndication.of(Kind.ESTABLISHED));
            }
            case ESTABLISHED, DREQ_SENT, DREQ_RCVD, TIMEWAIT ->
                engine.counters().duplicate(CmAttribute.RTU);
            default -> engine.counters().unmatched();
        }
    }

    void onReject(CmReject message, long now) {
        CmIndication rejected = new CmIndication(Kind.REJECTED, message.reason(), CmMessages.privateData(message));
        switch (state) {
            case REQ_SENT, REQ_RCVD, REP_SENT -> {
                if (message.reason() == RejectReason.STALE_CONNECTION.code()) {
                    enterTimewait(now);
                } else {
                    forget();
                }
                indicate(rejected);
            }
            // Established here only: the RTU was lost, and the passive side has changed its mind.
            case REP_RCVD, ESTABLISHED, DREQ_SENT -> {
                enterTimewait(now);
                indicate(rejected);
            }
            default -> engine.counters().unmatched();
        }
    }

    void onDisconnectRequest(long requestTransactionId, int qpn) {
        if (qpn != localQpn()) {
            engine.counters().malformed();
            return;
        }
        switch (state) {
            // DREQ_SENT: both sides disconnect at once, and each answers the other when its user is done.
            case REP_SENT, ESTABLISHED, DREQ_SENT -> {
                disconnectTransactionId = requestTransactionId;
                enter(CmState.DREQ_RCVD);
                indicate(CmIndication.of(Kind.DISCONNECTED));
            }
            case DREQ_RCVD -> engine.counters().duplicate(CmAttribute.DREQ);
            case TIMEWAIT -> {
                engine.counters().duplicate(CmAttribute.DREQ);
                sendDisconnectReply(requestTransactionId);
            }
            default -> engine.counters().unmatched();
        }
    }

    void onDisconnectReply(long now) {
        switch (state) {
            case DREQ_SENT, DREQ_RCVD -> {
                enterTimewait(now);
                indicate(CmIndication.of(Kind.DISCONNECTED));
            }
            case TIMEWAIT -> engine.counters().duplicate(CmAttribute.DREP);
            default -> engine.counters().unmatched();
        }
    }

    // What time brings.

    void onDeadline(long now) {
        if (repeated != null && triesLeft > 0) {
            triesLeft--;
            engine.counters().retransmitted(repeatedMessage);
            engine.transmit(this, repeatedMessage, repeated);
            setDeadline(now + interval);
            return;
        }
        switch (state) {
            case REQ_SENT, REP_SENT -> {
                forget();
                indicate(CmIndication.of(Kind.UNREACHABLE, -Errno.ETIMEDOUT.number()));
            }
            case DREQ_SENT -> {
                enterTimewait(now);
                indicate(CmIndication.of(Kind.DISCONNECTED, -Errno.ETIMEDOUT.number()));
            }
            case TIMEWAIT -> {
                forget();
                indicate(CmIndication.of(Kind.TIMEWAIT_EXIT));
            }
            case IDLE, REQ_RCVD, REP_RCVD, ESTABLISHED, DREQ_RCVD -> setDeadline(CmOutput.NEVER);
        }
    }

    private void indicate(CmIndication indication) {
        if (owner != null) {
            owner.onIndication(this, indication);
        }
    }

    /** Goes to a state in which nothing is repeated, until {@link #repeat} says otherwise. */
    private void enter(CmState next) {
        if (state == CmState.REQ_RCVD && listener != null) {
            listener.answered();
        }
        state = next;
        repeated = null;
        setDeadline(CmOutput.NEVER);
    }

    private void enterTimewait(long now) {
        enter(CmState.TIMEWAIT);
        setDeadline(now + CmTiming.nanos(request.ackTimeout()));
    }

    private void forget() {
        enter(CmState.IDLE);
        engine.forget(this);
    }

    private void setDeadline(long next) {
        engine.unschedule(this);
        deadline = next;
        engine.schedule(this);
    }

    private void repeat(CmAttribute message, MemorySegment mad, long every, long now) {
        repeated = mad;
        repeatedMessage = message;
        triesLeft = tries - 1;
        interval = every;
        engine.transmit(this, message, mad);
        setDeadline(now + every);
    }

    private long disconnectNanos() {
        return CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT) + CmTiming.nanos(request.ackTimeout());
    }

    private MemorySegment disconnectRequest() {
        return engine.messages().disconnectRequest(localId, remoteId, remoteQpn());
    }

    private void sendDisconnectReply(long requestTransactionId) {
        MemorySegment mad = engine.messages().disconnectReply(requestTransactionId, localId, remoteId);
        engine.transmit(this, CmAttribute.DREP, mad);
    }

    private void sendReadyToUse() {
        engine.transmit(this, CmAttribute.RTU, engine.messages().readyToUse(transactionId, localId, remoteId));
    }

    private void sendReject(int rejected, RejectReason reason, byte[] information, MemorySegment privateData) {
        MemorySegment mad = engine.messages()
                .reject(transactionId, localId, remoteId, rejected, reason.code(), information, privateData);
        engine.transmit(this, CmAttribute.REJ, mad);
    }

    @Override
    public String toString() {
        return "connection 0x%08x to %s in %s".formatted(localId, peerGid(), state);
    }
}
