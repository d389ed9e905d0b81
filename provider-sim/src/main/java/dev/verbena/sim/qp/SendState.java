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
    /** When the oldest packet counts as lost. */
    long retransmitDeadline = NEVER;
    /** Until when the peer asked not to be sent anything. */
    long rnrDeadline = NEVER;

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
        retransmitDeadline = NEVER;
        rnrDeadline = NEVER;
    }

    /** Whether everything that was sent is acknowledged, and nothing is to be waited for. */
    boolean isAtRest() {
        return psn == ackedPsn && psn == sentPsn && !needRetry && rnrDeadline == NEVER;
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
    void restartTimer(QpContext qp, long now) {
        boolean waits = ackedPsn != sentPsn && qp.ackTimeoutNanos != 0 && rnrDeadline == NEVER;
        retransmitDeadline = waits ? now + qp.ackTimeoutNanos : NEVER;
    }

    long nextDeadline() {
        return Math.min(retransmitDeadline, rnrDeadline);
    }
}
