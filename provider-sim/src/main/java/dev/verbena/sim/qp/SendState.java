package dev.verbena.sim.qp;

import dev.verbena.sim.profile.SendWindow;
import dev.verbena.sim.runtime.OwnLine;
import dev.verbena.wire.Psn;

/** What requester and completer of one queue pair share; both run in the send task and so never at once. */
final class SendState extends OwnLine {
    /** No deadline. */
    static final long NEVER = SendHalf.NEVER;

    /** PSN of the next packet. */
    int psn;
    /** PSN behind the last packet that was ever sent. */
    int sentPsn;
    /** PSN of the oldest packet that is not acknowledged. */
    int ackedPsn;
    /** Slot of the request that is being sent. */
    int wqeIndex;
    /** Whether some packets of that request, but not all, are sent or acknowledged. */
    boolean inMessage;
    /** Packets since the last one that asked for an acknowledgement. */
    int packetsWithoutAckRequest;
    /** Sending has to go back to the oldest packet that is not acknowledged. */
    boolean needRetry;
    /** Sending went back and nothing was acknowledged since; further NAKs tell nothing new. */
    boolean startedRetry;

    /** READs, atomics, ATOMIC_WRITEs and FLUSHes that were begun and are not complete. */
    int readsUnderWay;

    /** How far sending may be ahead of what is acknowledged. */
    final Window window;

    int retriesLeft;
    int rnrRetriesLeft;

    // The two timers. A timer that a step starts has a delay first. It gets its deadline by startTimers, from a reading
    // of the clock
    // after the step: a reading before it would make the timer expire early by what the step took.

    /** When the oldest packet counts as lost. */
    private long retransmitDeadline = NEVER;
    /** The delay of a retransmission timer without a deadline; 0 if there is none. */
    private long retransmitDelay;
    /** Until when the peer asked not to be sent anything. */
    private long rnrDeadline = NEVER;
    /** The delay of an RNR timer without a deadline; 0 if there is none. */
    private long rnrDelay;

    SendState(SendWindow limits) {
        window = new Window(limits);
    }

    void reset(int firstPsn) {
        window.reset();
        psn = firstPsn;
        sentPsn = firstPsn;
        ackedPsn = firstPsn;
        inMessage = false;
        packetsWithoutAckRequest = 0;
        needRetry = false;
        startedRetry = false;
        readsUnderWay = 0;
        stopTimers();
    }

    /** Whether everything that was sent is acknowledged, and nothing is to be waited for. */
    boolean isAtRest() {
        return psn == ackedPsn && psn == sentPsn && !needRetry && !isRnrWaiting();
    }

    /** Notes packets that have been sent and acknowledged, all at once. They did not need the window, and do not open it. */
    void carriedOut(int packets) {
        psn = Psn.add(psn, packets);
        sentPsn = psn;
        ackedPsn = psn;
        packetsWithoutAckRequest = 0;
    }

    void refillBudgets(QpContext qp) {
        retriesLeft = qp.retryCount;
        rnrRetriesLeft = qp.rnrRetry;
        startedRetry = false;
    }

    /** Starts the time again after which the oldest packet counts as lost, if there is one and it may be sent again. */
    void restartRetransmitTimer(QpContext qp) {
        boolean waits = ackedPsn != sentPsn && !isRnrWaiting();
        retransmitDeadline = NEVER;
        // 0, which stands for no timer, if the queue pair has no ACK timeout.
        retransmitDelay = waits ? qp.ackTimeoutNanos : 0;
    }

    /** Waits for a peer without receives, which ends the waiting for its acknowledgement. */
    void startRnrTimer(long delay) {
        stopTimers();
        rnrDelay = delay;
    }

    void stopRnrTimer() {
        rnrDeadline = NEVER;
        rnrDelay = 0;
    }

    void stopTimers() {
        retransmitDeadline = NEVER;
        retransmitDelay = 0;
        stopRnrTimer();
    }

    boolean isRetransmitTimed() {
        return retransmitDeadline != NEVER || retransmitDelay != 0;
    }

    boolean isRnrWaiting() {
        return rnrDeadline != NEVER || rnrDelay != 0;
    }

    boolean isRetransmitDue(long now) {
        return now >= retransmitDeadline;
    }

    boolean isRnrDue(long now) {
        return now >= rnrDeadline;
    }

    /** Whether a timer has no deadline yet. */
    boolean hasStartedTimer() {
        return (retransmitDelay | rnrDelay) != 0;
    }

    /** Gives the timers their deadlines that steps before this time have started. */
    void startTimers(long now) {
        if (retransmitDelay != 0) {
            retransmitDeadline = now + retransmitDelay;
            retransmitDelay = 0;
        }
        if (rnrDelay != 0) {
            rnrDeadline = now + rnrDelay;
            rnrDelay = 0;
        }
    }

    long nextDeadline() {
        return Math.min(retransmitDeadline, rnrDeadline);
    }
}
