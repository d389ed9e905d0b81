// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.wire.Psn;
import java.util.List;

/**
 * The requester and completer of an RC queue pair. Each {@link #step} calls the requester once, and then the completer
 * once, like {@code rxe_sender}. If the port supports segment batches (one {@code SimPacket} for several packets), {@code
 * step} calls the requester up to {@link #MAX_STEPS} times and then the completer once.
 */
final class RcSender implements Sender {
    /**
     * The maximum number of calls of {@code requester.step} before the completer runs. A deregistration of memory that the
     * requester accesses may wait until {@code sendRun} returns.
     */
    private static final int MAX_STEPS = 32;

    /** The completer runs after this number of packets. A segment batch ({@code SimPacket}) of n packets counts as n. */
    private static final int MAX_PACKETS = 128;

    private final QpContext qp;
    private final SendState state;
    private final Requester requester;
    private final Completer completer;
    private final QpMemory memory;
    private final QpOutput out;

    RcSender(QpContext qp, SendQueueHead front, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.memory = memory;
        this.out = out;
        state = new SendState(qp.window);
        requester = new Requester(qp, state, memory, out);
        completer = new Completer(qp, state, front, requester, memory, out);
    }

    LoopbackSendState direct() {
        return new LoopbackSendState(qp, state);
    }

    @Override
    public boolean step(long now) {
        boolean sent = out.carriesSegmentBatches() ? sendRun(now) : requester.step(now);
        boolean completed = completer.step(now);
        return sent || completed;
    }

    /**
     * Sends packets until no packet is left to send, a response arrives, or {@link #MAX_STEPS} or {@link #MAX_PACKETS} is
     * reached. Returns whether another call of {@code sendRun} may find packets to send.
     */
    private boolean sendRun(long now) {
        memory.beginRun();
        try {
            int before = state.psn;
            int steps = 0;
            boolean more = requester.step(now);
            while (more
                    && ++steps < MAX_STEPS
                    && Psn.distance(before, state.psn) < MAX_PACKETS
                    && qp.responses.isEmpty()) {
                more = requester.step(now);
            }
            return more;
        } finally {
            memory.endRun();
        }
    }

    @Override
    public long nextDeadline() {
        return state.nextDeadline();
    }

    @Override
    public boolean hasStartedTimer() {
        return state.hasStartedTimer();
    }

    @Override
    public void startTimers(long now) {
        state.startTimers(now);
    }

    @Override
    public void start(int psn) {
        state.reset(psn);
        state.wqeIndex = qp.sendQueue.consumer();
        state.refillBudgets(qp);
    }

    @Override
    public void describe(List<String> facts) {
        facts.add("PSNs: next to send " + state.psn + ", oldest unacknowledged " + state.ackedPsn
                + ", after the last sent " + state.sentPsn);
        facts.add("budgets: " + state.retriesLeft + " of " + qp.retryCount + " retries left, "
                + (qp.rnrForever
                        ? "unlimited RNR retries"
                        : state.rnrRetriesLeft + " of " + qp.rnrRetry + " RNR retries left"));
        facts.add("window: " + state.window.packets() + " of " + qp.window.packets() + " packets");
        facts.add("READs and atomics in flight: " + state.readsUnderWay + " of " + qp.readDepth);
    }

    @Override
    public int psn() {
        return state.psn;
    }
}
