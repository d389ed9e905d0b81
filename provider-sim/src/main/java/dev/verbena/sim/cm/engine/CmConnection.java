// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.cm.RejectReason;
import dev.verbena.sim.cm.engine.CmIndication.Kind;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmAttribute;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.Mra;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a {@link CmEngine} and its states. CM messages, calls and timeouts are handled according to the state.
 * Destroying the {@link CmEndpoint} of a connection does not shorten the timewait of the connection. Source: InfiniBand
 * Architecture Specification volume 1, section 12.9, and Linux's ib_cm where the specification permits a choice.
 */
public final class CmConnection extends CmExchange {
    private final CmConnectionTable table;
    private final CmCommunication communication;
    private final int tries;
    private final long responseNanos;

    private CmState state;
    private @Nullable CmEndpoint owner;
    private long disconnectTransactionId;

    /** Whether an MRA of the peer has extended the deadline of the message that awaits a reply. */
    private boolean postponed;

    CmConnection(MadAgent mads, CmConnectionTable table, CmCommunication communication, CmEndpoint owner) {
        super(mads);
        this.table = table;
        this.communication = communication;
        this.state = CmState.IDLE;
        this.owner = owner;
        this.tries = CmTiming.MAX_RETRIES + 1;
        this.responseNanos = disconnectNanos();
    }

    CmConnection(
            MadAgent mads,
            CmConnectionTable table,
            CmCommunication communication,
            int maxRetries,
            int responseTimeout) {
        super(mads);
        this.table = table;
        this.communication = communication;
        this.state = CmState.REQ_RCVD;
        table.halfOpen(1);
        this.tries = maxRetries + 1;
        this.responseNanos = CmTiming.nanos(responseTimeout);
    }

    public CmState state() {
        return state;
    }

    public CmCommunication communication() {
        return communication;
    }

    @Override
    Gid localGid() {
        return communication.localGid();
    }

    @Override
    Gid peerGid() {
        return communication.peerGid();
    }

    @Nullable CmEndpoint owner() {
        return owner;
    }

    public void setOwner(CmEndpoint newOwner) {
        owner = newOwner;
    }

    void connect(long now) {
        enter(CmState.REQ_SENT);
        repeat(CmAttribute.REQ, communication.request(messages()), tries, responseNanos, now);
    }

    public boolean accept(ReplyParameters parameters, long now) {
        if (state != CmState.REQ_RCVD) {
            return false;
        }
        enter(CmState.REP_SENT);
        int triesInTime = (int) Math.max(1, CmTiming.MOST_NANOS_FOR_READY_TO_USE / responseNanos);
        repeat(
                CmAttribute.REP,
                communication.reply(messages(), parameters),
                Math.min(tries, triesInTime),
                responseNanos,
                now);
        return true;
    }

    public boolean reject(MemorySegment privateData) {
        return switch (state) {
            case REQ_RCVD -> {
                communication.sendReject(CmReject.REQ, RejectReason.CONSUMER_DEFINED, new byte[0], privateData);
                forget();
                yield true;
            }
            case REP_RCVD -> {
                communication.sendReject(CmReject.REP, RejectReason.CONSUMER_DEFINED, new byte[0], privateData);
                forget();
                yield true;
            }
            default -> false;
        };
    }

    /** Sends an RTU, which reports to the peer that the local queue pair is ready. */
    public boolean establish() {
        if (state != CmState.REP_RCVD) {
            return false;
        }
        enter(CmState.ESTABLISHED);
        communication.sendReadyToUse();
        return true;
    }

    /** Establishes the connection when a packet of the peer arrives before the peer's RTU. */
    public boolean notifyEstablished() {
        if (state != CmState.REP_SENT) {
            return false;
        }
        enter(CmState.ESTABLISHED);
        indicate(CmIndication.of(Kind.ESTABLISHED));
        return true;
    }

    /** Sends a DREQ in ESTABLISHED, sends a DREP in DREQ_RCVD, and does nothing in other states. */
    public void disconnect(long now) {
        switch (state) {
            case ESTABLISHED -> {
                enter(CmState.DREQ_SENT);
                repeat(CmAttribute.DREQ, communication.disconnectRequest(messages()), tries, disconnectNanos(), now);
            }
            case DREQ_RCVD -> {
                communication.sendDisconnectReply(disconnectTransactionId);
                enterTimewait(now);
            }
            default -> {}
        }
    }

    /** Rejects or disconnects the connection of a destroyed {@link CmEndpoint}, which gets no further notification. */
    public void destroy(long now) {
        owner = null;
        switch (state) {
            case IDLE, TIMEWAIT -> {}
            case REQ_SENT -> {
                byte[] self = messages().guidInformation();
                communication.sendReject(CmReject.OTHER, RejectReason.TIMEOUT, self, MemorySegment.NULL);
                forget();
            }
            case REQ_RCVD, REP_RCVD -> reject(MemorySegment.NULL);
            case REP_SENT -> {
                communication.sendReject(CmReject.OTHER, RejectReason.CONSUMER_DEFINED);
                enterTimewait(now);
            }
            case ESTABLISHED -> {
                send(CmAttribute.DREQ, communication.disconnectRequest(messages()));
                enterTimewait(now);
            }
            case DREQ_SENT -> enterTimewait(now);
            case DREQ_RCVD -> disconnect(now);
        }
    }

    void onDuplicateRequest() {
        counters().duplicate(CmAttribute.REQ);
        switch (state) {
            // The peer has retransmitted its REQ, so the REP may be lost. The passive side retransmits the REP before
            // its timeout.
            case REP_SENT -> sendAgain();
            // The application has not accepted or rejected the REQ yet; the MRA extends the timeout of the peer.
            case REQ_RCVD -> communication.sendMra(Mra.REQ);
            case TIMEWAIT -> communication.sendReject(CmReject.REQ, RejectReason.STALE_CONNECTION);
            default -> {}
        }
    }

    void onReply(CmReply message) {
        switch (state) {
            case REQ_SENT -> {
                communication.readReply(message);
                table.index(this);
                enter(CmState.REP_RCVD);
                indicate(CmIndication.of(Kind.REPLIED));
            }
            case ESTABLISHED -> {
                counters().duplicate(CmAttribute.REP);
                communication.sendReadyToUse();
            }
            case REP_RCVD -> {
                counters().duplicate(CmAttribute.REP);
                communication.sendMra(Mra.REP);
            }
            default -> counters().duplicate(CmAttribute.REP);
        }
    }

    void onReadyToUse() {
        switch (state) {
            case REP_SENT -> {
                enter(CmState.ESTABLISHED);
                indicate(CmIndication.of(Kind.ESTABLISHED));
            }
            case ESTABLISHED, DREQ_SENT, DREQ_RCVD, TIMEWAIT -> counters().duplicate(CmAttribute.RTU);
            default -> counters().unmatched();
        }
    }

    /**
     * Handles an MRA, by which the peer requests more time to reply to a REQ or REP. The first MRA for a REQ or REP extends
     * the deadline for the reply.
     */
    void onMra(int received, int serviceTimeout, long now) {
        boolean meant = (state == CmState.REQ_SENT && received == Mra.REQ)
                || (state == CmState.REP_SENT && received == Mra.REP);
        if (!meant) {
            counters().unmatched();
        } else if (postponed) {
            counters().duplicate(CmAttribute.MRA);
        } else {
            postponed = true;
            setDeadline(now
                    + CmTiming.nanos(serviceTimeout)
                    + CmTiming.nanos(communication.request().ackTimeout()));
        }
    }

    void onReject(CmReject message, long now) {
        CmIndication rejected =
                new CmIndication(Kind.REJECTED, message.get(CmReject.REASON), CmMessages.privateData(message));
        switch (state) {
            case REQ_SENT, REQ_RCVD, REP_SENT -> {
                if (message.get(CmReject.REASON) == RejectReason.STALE_CONNECTION.code()) {
                    enterTimewait(now);
                } else {
                    forget();
                }
                indicate(rejected);
            }
            // The active side has received the REP, and may have sent the RTU. The passive side has not received the
            // RTU, and rejects the connection.
            case REP_RCVD, ESTABLISHED, DREQ_SENT -> {
                enterTimewait(now);
                indicate(rejected);
            }
            default -> counters().unmatched();
        }
    }

    void onDisconnectRequest(long requestTransactionId, int qpn) {
        if (qpn != communication.localQpn()) {
            counters().malformed();
            return;
        }
        switch (state) {
            // A DREQ that arrives in DREQ_SENT shows that both peers disconnect at the same time. The DREP is sent when
            // the local application calls `disconnect`.
            case REP_SENT, ESTABLISHED, DREQ_SENT -> {
                disconnectTransactionId = requestTransactionId;
                enter(CmState.DREQ_RCVD);
                indicate(CmIndication.of(Kind.DISCONNECTED));
            }
            case DREQ_RCVD -> counters().duplicate(CmAttribute.DREQ);
            case TIMEWAIT -> {
                counters().duplicate(CmAttribute.DREQ);
                communication.sendDisconnectReply(requestTransactionId);
            }
            default -> counters().unmatched();
        }
    }

    void onDisconnectReply(long now) {
        switch (state) {
            case DREQ_SENT, DREQ_RCVD -> {
                enterTimewait(now);
                indicate(CmIndication.of(Kind.DISCONNECTED));
            }
            case TIMEWAIT -> counters().duplicate(CmAttribute.DREP);
            default -> counters().unmatched();
        }
    }

    @Override
    void onExpired(long now) {
        switch (state) {
            case REQ_SENT, REP_SENT -> {
                forget();
                indicate(CmIndication.of(Kind.UNREACHABLE, -Errno.ETIMEDOUT.number()));
            }
            case DREQ_SENT -> {
                enterTimewait(now);
                indicate(CmIndication.of(Kind.DISCONNECTED, -Errno.ETIMEDOUT.number()));
            }
            case TIMEWAIT -> leaveTimewait();
            case IDLE, REQ_RCVD, REP_RCVD, ESTABLISHED, DREQ_RCVD -> setDeadline(CmOutput.NEVER);
        }
    }

    private void indicate(CmIndication indication) {
        if (owner != null) {
            owner.onIndication(this, indication);
        }
    }

    private void enter(CmState next) {
        if (isHalfOpen(state) && !isHalfOpen(next)) {
            table.halfOpen(-1);
        }
        state = next;
        postponed = false;
        stopRepeating();
    }

    private static boolean isHalfOpen(CmState state) {
        return state == CmState.REQ_RCVD || state == CmState.REP_SENT;
    }

    private void enterTimewait(long now) {
        enter(CmState.TIMEWAIT);
        setDeadline(now + CmTiming.nanos(communication.request().ackTimeout()));
        table.inTimewait(this);
    }

    void leaveTimewait() {
        forget();
        indicate(CmIndication.of(Kind.TIMEWAIT_EXIT));
    }

    private void forget() {
        enter(CmState.IDLE);
        table.remove(this);
    }

    private long disconnectNanos() {
        return CmTiming.nanos(CmTiming.RESPONSE_TIMEOUT)
                + CmTiming.nanos(communication.request().ackTimeout());
    }

    @Override
    public String toString() {
        return "connection 0x%08x to %s in %s".formatted(communication.localId(), communication.peerGid(), state);
    }
}
