package dev.verbena.sim.qp;

import dev.verbena.sim.queue.SharedReceives;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.QpState;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The engines of one queue pair as their driver sees them: two halves, each to be stepped by one thread at a time until it
 * says there is nothing more, and the next deadline of the sending half.
 */
public final class QpEngine {
    /** No deadline. */
    public static final long NEVER = SendHalf.NEVER;

    /** How many packets one pass of the receive task handles where nobody looks at packets. */
    private static final int MAX_RUN = 32;

    private final QpContext qp;
    private final QpOutput out;
    private final SendFront front;
    private final ReceiveSource receives;
    private final SendHalf sender;
    private final ReceiveHalf receiver;

    /**
     * Makes the engines.
     *
     * @param qp what they share
     * @param shared where receives come from, or null for the queue pair's own queue
     * @param placement decides when bytes that arrive are to be visible, as late as the rules allow; null for at once
     * @param out what they bring about
     */
    public QpEngine(QpContext qp, @Nullable SharedReceives shared, @Nullable RandomGenerator placement, QpOutput out) {
        this.qp = qp;
        this.out = out;
        front = new SendFront(qp, out);
        LateWrites late = placement == null ? null : new LateWrites(qp, placement);
        receives = shared == null ? new OwnReceives(qp.receiveQueue, late) : new SharedReceiveSource(shared, qp, late);
        sender = switch (qp.type) {
            case RC -> new RcSendHalf(qp, new QpMemory(qp, out), out);
            case UC -> new UcSendHalf(qp, new QpMemory(qp, out), out);
            case UD -> new UdSendHalf(qp, new QpMemory(qp, out), out);
        };
        receiver = switch (qp.type) {
            case RC -> new Responder(qp, new QpMemory(qp, late), receives, out);
            case UC -> new UcReceiveHalf(qp, new QpMemory(qp, late), receives, out);
            case UD -> new UdReceiveHalf(qp, new QpMemory(qp, late), receives, out);
        };
    }

    /**
     * Steps the sending half: the send task's pass.
     *
     * @param now the time in nanoseconds; a time before that of the call lets a deadline pass unnoticed until a later call
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
     * Steps the receiving half: the receive task's pass.
     *
     * @return true if there may be more to do now
     */
    public boolean stepReceive() {
        int most = out.carriesReferences() ? MAX_RUN : 1;
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
     * Handles what was added inside, as the first or a further part of a run that {@link #endReceive()} ends; for who keeps others
     * from stepping until then, and may wait for nothing.
     */
    public void stepInside() {
        qp.requests.expectInside(true);
        boolean more = qp.requests.hasInside();
        while (more) {
            more = receiver.step() && qp.requests.hasInside();
        }
    }

    /** Ends a run of {@link #stepInside()}; {@link #stepReceive} has to follow. */
    public void endReceive() {
        qp.requests.expectInside(false);
        receiver.rest();
    }

    /**
     * Tells whether the next {@link #stepReceive} handles a packet that is added now; for who keeps others from stepping.
     *
     * @return false if something comes before it
     */
    public boolean receivesAtOnce() {
        return qp.requests.isEmptyOutside() && !qp.requests.hasInside() && receiver.takesAtOnce();
    }

    /**
     * Tells whether a timer has been started that has no deadline yet.
     *
     * @return true if {@link #startTimers} has to be called before {@link #nextDeadline()} is all there is to wait for
     */
    public boolean hasStartedTimer() {
        return sender.hasStartedTimer();
    }

    /**
     * Tells whether a timer runs, with a deadline or without one yet.
     *
     * @return false if {@link #stepSend} needs no time
     */
    public boolean hasTimer() {
        return sender.hasStartedTimer() || sender.nextDeadline() != NEVER;
    }

    /**
     * Gives the timers their deadlines that have been started.
     *
     * @param now the time in nanoseconds, read after the packets left that the timers wait for the acknowledgement of
     */
    public void startTimers(long now) {
        sender.startTimers(now);
    }

    /**
     * Returns when {@link #stepSend} has something to do even if nothing arrives. Timers that have been started count from
     * {@link #startTimers} on.
     *
     * @return a time in nanoseconds, or {@link #NEVER}
     */
    public long nextDeadline() {
        return sender.nextDeadline();
    }

    /**
     * Sets the PSN that the first packet to the peer has, and fills the retry budgets. Sending must not have begun.
     *
     * @param psn 24 bits
     */
    public void startSending(int psn) {
        sender.start(psn);
    }

    /**
     * Sets the PSN that the first packet of the peer has. Receiving must not have begun.
     *
     * @param psn 24 bits
     */
    public void startReceiving(int psn) {
        receiver.start(psn);
    }

    /**
     * Returns what explains the queue pair.
     *
     * @return a new explainer
     */
    public QpExplainer explainer() {
        return new QpExplainer(qp, sender, receiver);
    }

    /**
     * Returns the way around packets, for who keeps others from stepping.
     *
     * @return null unless this is a reliable connection
     */
    public @Nullable DirectSender directSender() {
        return sender instanceof RcSendHalf reliable ? reliable.direct() : null;
    }

    /**
     * Returns the other end of that.
     *
     * @return null unless this is a reliable connection
     */
    public @Nullable DirectArrivals directArrivals() {
        return receiver instanceof Responder reliable ? reliable.directArrivals() : null;
    }

    /** Ends the use of memory, when neither half will run again. */
    public void close() {
        receives.settle();
    }

    /** Forgets everything that was posted or is under way. Neither half may be running. */
    public void reset() {
        qp.sendQueue.clear();
        qp.receiveQueue.clear();
        qp.requests.drain();
        qp.responses.drain();
        sender.start(0);
        receiver.start(0);
    }

    /**
     * Returns the PSN of the next request packet.
     *
     * @return 24 bits
     */
    public int sendPsn() {
        return sender.psn();
    }

    /**
     * Returns the PSN of the next request packet expected.
     *
     * @return 24 bits
     */
    public int receivePsn() {
        return receiver.psn();
    }
}
