package dev.verbena.sim.qp;

/**
 * The engines of one queue pair as their driver sees them: two halves, each to be stepped by one thread at a time until it
 * says there is nothing more, and the next deadline of the sending half.
 */
public final class QpEngine {
    /** No deadline. */
    public static final long NEVER = SendState.NEVER;

    private final QpContext qp;
    private final SendState sendState = new SendState();
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;

    /**
     * Makes the engines.
     *
     * @param qp what they share
     * @param out what they bring about
     */
    public QpEngine(QpContext qp, QpOutput out) {
        this.qp = qp;
        requester = new Requester(qp, sendState, out);
        completer = new Completer(qp, sendState, requester, out);
        responder = new Responder(qp, out);
    }

    /**
     * Steps requester and completer: the send task's pass.
     *
     * @param now the time in nanoseconds
     * @return true if there may be more to do now
     */
    public boolean stepSend(long now) {
        boolean sent = requester.step(now);
        boolean completed = completer.step(now);
        return sent || completed;
    }

    /**
     * Steps the responder: the receive task's pass.
     *
     * @return true if there may be more to do now
     */
    public boolean stepReceive() {
        return responder.step();
    }

    /**
     * Returns when {@link #stepSend} has something to do even if nothing arrives.
     *
     * @return a time in nanoseconds, or {@link #NEVER}
     */
    public long nextDeadline() {
        return sendState.nextDeadline();
    }

    /**
     * Sets the PSN that the first packet to the peer has, and fills the retry budgets. Sending must not have begun.
     *
     * @param psn 24 bits
     */
    public void startSending(int psn) {
        sendState.reset(psn);
        sendState.wqeIndex = qp.sendQueue.ring().consumer();
        sendState.refillBudgets(qp);
    }

    /**
     * Sets the PSN that the first packet of the peer has. Receiving must not have begun.
     *
     * @param psn 24 bits
     */
    public void startReceiving(int psn) {
        responder.reset(psn);
    }

    /** Forgets everything that was posted or is under way. Neither half may be running. */
    public void reset() {
        qp.sendQueue.ring().clear();
        qp.receiveQueue.ring().clear();
        qp.requests.drain();
        qp.responses.drain();
        startSending(0);
        responder.reset(0);
    }

    /**
     * Returns the PSN of the next request packet.
     *
     * @return 24 bits
     */
    public int sendPsn() {
        return sendState.psn;
    }

    /**
     * Returns the PSN of the next request packet expected.
     *
     * @return 24 bits
     */
    public int receivePsn() {
        return responder.expectedPsn();
    }
}
