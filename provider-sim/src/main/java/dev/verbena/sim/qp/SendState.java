// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.profile.SendWindow;
import dev.verbena.sim.runtime.CacheLinePadded;
import dev.verbena.wire.Psn;

/**
 * The state that requester and completer of one queue pair share: the members {@code req} and {@code comp} of {@code struct
 * rxe_qp}. The requester and the completer run in the send task, so never concurrently.
 */
final class SendState extends CacheLinePadded {
    static final long NEVER = Sender.NEVER;

    int psn;
    /** The PSN after the highest PSN that was ever sent. */
    int sentPsn;

    int ackedPsn;
    /** The send queue slot of the request that the requester sends next or is sending. */
    int wqeIndex;
    /** Whether some, but not all, packets of the request at {@link #wqeIndex} have been sent or acknowledged. */
    boolean inMessage;

    int packetsWithoutAckRequest;
    boolean needRetry;
    /**
     * Whether the requester has begun to retransmit and no packet has been acknowledged since. While the requester retransmits,
     * further NAKs report no new packet loss.
     */
    boolean startedRetry;

    /** The number of READs, atomics, ATOMIC_WRITEs and FLUSHes in flight. */
    int readsUnderWay;

    final Window window;

    int retriesLeft;
    int rnrRetriesLeft;

    // The two timers. Sender.step starts a timer and stores its delay. After Sender.step the caller reads the clock,
    // and startTimers sets the deadline to this time plus the delay of the timer. If the caller read the clock before
    // Sender.step, the timer would expire too early by the duration of Sender.step.

    private long retransmitDeadline = NEVER;
    /** The delay in ns of a started retransmission timer that has no deadline yet; 0 if no such timer exists. */
    private long retransmitDelay;

    private long rnrDeadline = NEVER;
    /** The delay in ns of a started RNR timer that has no deadline yet; 0 if no such timer exists. */
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

    boolean isAtRest() {
        return psn == ackedPsn && psn == sentPsn && !needRetry && !isRnrWaiting();
    }

    /** Advances the PSNs after a request on the loopback path. The send window keeps its size. */
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

    void restartRetransmitTimer(QpContext qp) {
        boolean waits = ackedPsn != sentPsn && !isRnrWaiting();
        retransmitDeadline = NEVER;
        // Without an ACK timeout the delay of the retransmission timer is 0, which means no timer.
        retransmitDelay = waits ? qp.ackTimeoutNanos : 0;
    }

    void armRnrTimer(long delay) {
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

    boolean hasStartedTimer() {
        return (retransmitDelay | rnrDelay) != 0;
    }

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
