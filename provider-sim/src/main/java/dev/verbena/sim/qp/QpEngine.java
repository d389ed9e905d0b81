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
 * The engines of one queue pair, as their driver uses them: a sender and a receiver. One thread at a time steps each of both
 * until it reports that nothing is left to do. The sender also has a next deadline.
 */
public final class QpEngine {
    /** No deadline. */
    public static final long NEVER = Sender.NEVER;

    /** How many packets one pass of the receive task handles if the port carries references; otherwise one. */
    private static final int MAX_RUN = 32;

    private final QpContext qp;
    private final QpOutput out;
    private final SendQueueHead front;
    private final ReceiveSource receives;
    private final Sender sender;
    private final Receiver receiver;

    /**
     * Creates the engines.
     *
     * @param qp the state that sender and receiver share
     * @param shared the SRQ that receives come from, or null for the queue pair's own queue
     * @param placement chooses when received bytes are written, at the latest when the specification requires it; null to write at
     *     once
     * @param out receives packets, completions, events and counts
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
     * Steps the sender: one pass of the send task.
     *
     * @param now the time in nanoseconds; with an earlier time, an expired deadline is noticed by a later call
     * @return true if there may be more to do now
     */
    public boolean stepSend(long now) {
        boolean more = sender.step(now);
        if (qp.isDraining() && qp.state() == QpState.SQD && front.isQuiet() && qp.drained()) {
            out.raise(AsyncEventType.SQ_DRAINED);
        }
        return more;
    }

    /**
     * Steps the receiver: one pass of the receive task.
     *
     * @return true if there may be more to do now
     */
    public boolean stepReceive() {
        int most = out.carriesZeroCopy() ? MAX_RUN : 1;
        try {
            boolean more = receiver.step();
            for (int steps = 1; more && steps < most; steps++) {
                more = receiver.step();
            }
            return more;
        } finally {
            receiver.rest();
        }
    }

    /**
     * Returns whether the next {@link #stepReceive} would handle a packet added now. The caller must own the receive task.
     *
     * @return false if other work is first
     */
    public boolean receivesAtOnce() {
        return qp.requests.isSharedEmpty() && !qp.requests.hasOwnerPackets() && receiver.takesAtOnce();
    }

    /**
     * Returns whether a started timer has no deadline yet.
     *
     * @return true if {@link #startTimers} must be called before {@link #nextDeadline()} is complete
     */
    public boolean hasStartedTimer() {
        return sender.hasStartedTimer();
    }

    /**
     * Returns whether a timer is running, with or without a deadline.
     *
     * @return false if {@link #stepSend} needs no time
     */
    public boolean hasTimer() {
        return sender.hasStartedTimer() || sender.nextDeadline() != NEVER;
    }

    /**
     * Sets the deadlines of the started timers.
     *
     * @param now the time in nanoseconds, read after the packets were sent whose acknowledgements the timers wait for
     */
    public void startTimers(long now) {
        sender.startTimers(now);
    }

    /**
     * Returns the time at which {@link #stepSend} must run even if no packet arrives. Timers count from {@link #startTimers} on.
     *
     * @return a time in nanoseconds, or {@link #NEVER}
     */
    public long nextDeadline() {
        return sender.nextDeadline();
    }

    /**
     * Sets the PSN of the first packet to the peer, and refills the retry budgets. Sending must not have begun.
     *
     * @param psn 24 bits
     */
    public void startSending(int psn) {
        sender.start(psn);
    }

    /**
     * Sets the PSN of the first packet of the peer. Receiving must not have begun.
     *
     * @param psn 24 bits
     */
    public void startReceiving(int psn) {
        receiver.start(psn);
    }

    /**
     * Creates an explainer of the queue pair.
     *
     * @return a new explainer
     */
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
     * Returns the sending side of the loopback path. Its user must own the send task.
     *
     * @return null unless this is a reliable connection
     */
    public @Nullable LoopbackSendState directSender() {
        return sender instanceof RcSender reliable ? reliable.direct() : null;
    }

    /**
     * Returns the receiving side of the loopback path. Its user must own the receive task.
     *
     * @return null unless this is a reliable connection
     */
    public @Nullable LoopbackResponder loopbackResponder() {
        return receiver instanceof Responder reliable ? reliable.loopbackResponder() : null;
    }

    /** Makes delayed writes. Neither sender nor receiver may run again. */
    public void close() {
        receives.flushDelayed();
    }

    /** Discards all posted requests, receives and queued packets. Neither sender nor receiver may be running. */
    public void reset() {
        qp.sendQueue.clear();
        qp.receiveQueue.clear();
        qp.requests.drain();
        qp.responses.drain();
        sender.start(0);
        receiver.start(0);
    }

    /**
     * Returns the PSN of the next request packet. Between batches of the loopback path this number is stale: see "Flush before
     * reading" in docs/fast-paths.md.
     *
     * @return 24 bits
     */
    public int sendPsn() {
        return sender.psn();
    }

    /**
     * Returns the PSN of the next request packet expected. Between batches of the loopback path this number is stale: see
     * "Flush before reading" in docs/fast-paths.md.
     *
     * @return 24 bits
     */
    public int receivePsn() {
        return receiver.psn();
    }
}
