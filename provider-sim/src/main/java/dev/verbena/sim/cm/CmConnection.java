package dev.verbena.sim.cm;

import dev.verbena.sim.cm.CmIndication.Kind;
import dev.verbena.verbs.Errno;
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
    private final CmDialogue dialogue;
    private final int tries;
    private final long responseNanos;
    private final @Nullable CmListener listener;

    private CmState state;
    private @Nullable CmEndpoint owner;
    private long disconnectTransactionId;

    private @Nullable MemorySegment repeated;
    private CmAttribute repeatedMessage = CmAttribute.REQ;
    private int triesLeft;
    private long interval;
    private long deadline = CmOutput.NEVER;

    /** Makes the active side; {@link #connect} sends the REQ. */
    CmConnection(CmEngine engine, long serial, CmDialogue dialogue, CmEndpoint owner) {
        this.engine = engine;
        this.serial = serial;
        this.dialogue = dialogue;
        this.state = CmState.IDLE;
        this.owner = owner;
        this.tries = CmTiming.MAX_RETRIES + 1;
        this.responseNanos = disconnectNanos();
        this.listener = null;
    }

    /** Makes the passive side of a REQ. */
    CmConnection(
            CmEngine engine,
            long serial,
            CmDialogue dialogue,
            CmListener listener,
            int maxRetries,
            int responseTimeout) {
        this.engine = engine;
        this.serial = serial;
        this.dialogue = dialogue;
        this.state = CmState.REQ_RCVD;
        this.listener = listener;
        this.tries = maxRetries + 1;
        this.responseNanos = CmTiming.nanos(responseTimeout);
    }

    CmEngine engine() {
        return engine;
    }

    CmState state() {
        return state;
    }

    CmDialogue dialogue() {
        return dialogue;
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

    // What the user asks for. Each answers whether the state allows it.

    void connect(long now) {
        enter(CmState.REQ_SENT);
        repeat(CmAttribute.REQ, dialogue.request(engine.messages()), responseNanos, now);
    }

    boolean accept(ReplyParameters parameters, long now) {
        if (state != CmState.REQ_RCVD) {
            return false;
        }
        enter(CmState.REP_SENT);
        repeat(CmAttribute.REP, dialogue.reply(engine.messages(), parameters), responseNanos, now);
        return true;
    }

    boolean reject(MemorySegment privateData) {
        return switch (state) {
            case REQ_RCVD -> {
                dialogue.sendReject(CmReject.REQ, RejectReason.CONSUMER_REJECT, new byte[0], privateData);
                forget();
                yield true;
            }
            case REP_RCVD -> {
                dialogue.sendReject(CmReject.REP, RejectReason.CONSUMER_REJECT, new byte[0], privateData);
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
        dialogue.sendReadyToUse();
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
                repeat(CmAttribute.DREQ, dialogue.disconnectRequest(engine.messages()), disconnectNanos(), now);
            }
            case DREQ_RCVD -> {
                dialogue.sendDisconnectReply(disconnectTransactionId);
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
                dialogue.sendReject(CmReject.OTHER, RejectReason.TIMEOUT, self, MemorySegment.NULL);
                forget();
            }
            case REQ_RCVD, REP_RCVD -> reject(MemorySegment.NULL);
            case REP_SENT -> {
                dialogue.sendReject(CmReject.OTHER, RejectReason.CONSUMER_REJECT);
                enterTimewait(now);
            }
            case ESTABLISHED -> {
                dialogue.send(CmAttribute.DREQ, dialogue.disconnectRequest(engine.messages()));
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
                    dialogue.send(CmAttribute.REP, repeated);
                }
            }
            case TIMEWAIT -> dialogue.sendReject(CmReject.REQ, RejectReason.STALE_CONNECTION);
            default -> {}
        }
    }

    void onReply(CmReply message) {
        switch (state) {
            case REQ_SENT -> {
                dialogue.hear(message);
                engine.index(this);
                enter(CmState.REP_RCVD);
                indicate(CmIndication.of(Kind.REPLIED));
            }
            case ESTABLISHED -> {
                engine.counters().duplicate(CmAttribute.REP);
                dialogue.sendReadyToUse();
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
        if (qpn != dialogue.localQpn()) {
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
                dialogue.sendDisconnectReply(requestTransactionId);
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
            dialogue.send(repeatedMessage, repeated);
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
        setDeadline(now + CmTiming.nanos(dialogue.request().ackTimeout()));
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
        dialogue.send(message, mad);
        setDeadline(now + every);
    }

    private long disconnectNanos() {
        return CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT)
                + CmTiming.nanos(dialogue.request().ackTimeout());
    }

    @Override
    public String toString() {
        return "connection 0x%08x to %s in %s".formatted(dialogue.localId(), dialogue.peerGid(), state);
    }
}
