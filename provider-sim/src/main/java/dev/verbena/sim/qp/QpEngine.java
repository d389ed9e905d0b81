// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.explain.QpExplainer;
import dev.verbena.sim.explain.QpFacts;
import dev.verbena.sim.queue.SharedReceives;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The requester and completer of one queue pair with their timers, and its responder. The send task repeats {@link #stepSend},
 * and the receive task repeats {@link #stepReceive}, until the call returns false. Each task runs in one thread at a time.
 */
public final class QpEngine {
    public static final long NEVER = Sender.NEVER;

    /**
     * The maximum number of packets that one {@link #stepReceive} handles if the port supports zero-copy payloads. If the
     * port does not support zero-copy payloads, one {@link #stepReceive} handles at most one packet.
     */
    private static final int MAX_RUN = 32;

    private final QpContext qp;
    private final QpOutput out;
    private final SendQueueHead front;
    private final ReceiveSource receives;
    private final Sender sender;
    private final Receiver receiver;

    /**
     * Creates the requester, completer and responder of a queue pair. If the queue pair uses an SRQ, {@code shared} is the
     * SRQ; otherwise {@code shared} is null. If {@code placement} is null, received bytes are written to memory
     * immediately; otherwise random numbers of {@code placement} determine when they are written.
     */
    public QpEngine(QpContext qp, @Nullable SharedReceives shared, @Nullable RandomGenerator placement, QpOutput out) {
        this.qp = qp;
        this.out = out;
        front = new SendQueueHead(qp, out);
        DelayedWrites late = placement == null ? null : new DelayedWrites(qp, placement);
        receives = shared == null
                ? new ReceiveQueueSource(qp.receiveQueue, late)
                : new SharedReceiveSource(shared, qp, late);
        sender = switch (qp.type) {
            case RC -> new RcSender(qp, front, new QpMemory(qp), out);
            case UC -> new UcSender(qp, front, new QpMemory(qp), out);
            case UD -> new UdSender(qp, front, new QpMemory(qp), out);
        };
        receiver = switch (qp.type) {
            case RC -> new Responder(qp, new QpMemory(qp, late), receives, out);
            case UC -> new UcReceiver(qp, new QpMemory(qp, late), receives, out);
            case UD -> new UdReceiver(qp, new QpMemory(qp, late), receives, out);
        };
    }

    /**
     * Executes one iteration of the send task. The argument {@code now} may be an earlier reading of the clock. If a timer
     * expires after the time {@code now}, a later call of {@code stepSend} handles the timer. Returns whether another call
     * of {@code stepSend} may have work to do.
     */
    public boolean stepSend(long now) {
        boolean more = sender.step(now);
        if (qp.isDraining() && qp.state() == QpState.SQD && front.isQuiet() && qp.drained()) {
            out.raise(AsyncEventType.SQ_DRAINED);
        }
        return more;
    }

    /** Executes one iteration of the receive task. Returns whether further packets or READ responses may be pending. */
    public boolean stepReceive() {
        int most = out.carriesZeroCopy() ? MAX_RUN : 1;
        try {
            boolean more = receiver.step();
            for (int steps = 1; more && steps < most; steps++) {
                more = receiver.step();
            }
            return more;
        } finally {
            receiver.endPass();
        }
    }

    /**
     * Returns true if no packet and no READ response is pending. If {@code receivesAtOnce} returns true, a packet that
     * arrives now is the first packet that {@link #stepReceive} handles. The calling thread must own the receive task.
     */
    public boolean receivesAtOnce() {
        return qp.requests.isSharedEmpty() && !qp.requests.hasOwnerPackets() && receiver.takesAtOnce();
    }

    /** Returns true if {@link #startTimers} must be called before {@link #nextDeadline()} is valid. */
    public boolean hasStartedTimer() {
        return sender.hasStartedTimer();
    }

    /**
     * Returns whether a timer is active: its deadline is set, or {@link #startTimers} must still set its deadline. If no
     * timer is active, {@link #stepSend} ignores the time passed to it.
     */
    public boolean hasTimer() {
        return sender.hasStartedTimer() || sender.nextDeadline() != NEVER;
    }

    /**
     * Sets the deadlines of the started timers. The caller must first send the packets of {@link #stepSend}, and then
     * read the clock for the argument {@code now}.
     */
    public void startTimers(long now) {
        sender.startTimers(now);
    }

    /** Returns the time at which {@link #stepSend} must run even if no packet arrives, or {@link #NEVER}. */
    public long nextDeadline() {
        return sender.nextDeadline();
    }

    /** Sets the PSN of the first packet to the peer, and resets the remaining retries. Sending must not have begun. */
    public void startSending(int psn) {
        sender.start(psn);
    }

    /** Sets the PSN of the first packet from the peer. Receiving must not have begun. */
    public void startReceiving(int psn) {
        receiver.start(psn);
    }

    public QpExplainer explainer() {
        List<String> sending = new ArrayList<>();
        sender.describe(sending);
        QpFacts facts = new QpFacts(
                qp.number,
                qp.type,
                qp.state(),
                qp.isDraining(),
                qp.sendQueue,
                qp.receiveQueue,
                qp.queueKey,
                qp.rnrForever,
                sending,
                receiver.psn());
        return new QpExplainer(qp.record, facts);
    }

    /**
     * Returns the requester's state for the loopback path, or null if the transport is not RC. Only the thread that owns
     * the send task ({@code ProgressTask}) may use the returned object.
     */
    public @Nullable LoopbackSendState directSender() {
        return sender instanceof RcSender reliable ? reliable.direct() : null;
    }

    /**
     * Returns the responder of the loopback path; null if the transport is not RC or {@link DelayedWrites} delays received
     * bytes. Only the thread that owns the receive task ({@code ProgressTask}) may use the returned object.
     */
    public @Nullable LoopbackResponder loopbackResponder() {
        return receiver instanceof Responder reliable ? reliable.loopbackResponder() : null;
    }

    /** Writes all delayed received bytes to memory. The send task and the receive task must not run after {@code close}. */
    public void close() {
        receives.flushDelayed();
    }

    /** Discards all posted requests and queued packets. Neither the send task nor the receive task may be running. */
    public void reset() {
        qp.sendQueue.clear();
        qp.receiveQueue.clear();
        qp.requests.drain();
        qp.responses.drain();
        sender.start(0);
        receiver.start(0);
    }

    /** Returns the next request packet's PSN. It may be stale unless {@code sendTask.flushDeferred()} was called first. */
    public int sendPsn() {
        return sender.psn();
    }

    /** Returns the PSN expected from the peer. It may be stale unless {@code receiveTask.flushDeferred()} was called. */
    public int receivePsn() {
        return receiver.psn();
    }
}
