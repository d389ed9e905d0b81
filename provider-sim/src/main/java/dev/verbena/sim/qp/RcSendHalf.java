package dev.verbena.sim.qp;

import java.util.List;

/** The sending half of a reliable connection: one pass of the requester, then one of the completer, as rxe's send task. */
final class RcSendHalf implements SendHalf {
    private final QpContext qp;
    private final SendState state;
    private final Requester requester;
    private final Completer completer;

    RcSendHalf(QpContext qp, QpMemory memory, QpOutput out) {
        this.qp = qp;
        state = new SendState(qp.window);
        requester = new Requester(qp, state, memory, out);
        completer = new Completer(qp, state, requester, memory, out);
    }

    @Override
    public boolean step(long now) {
        boolean sent = requester.step(now);
        boolean completed = completer.step(now);
        return sent || completed;
    }

    @Override
    public long nextDeadline() {
        return state.nextDeadline();
    }

    @Override
    public void start(int psn) {
        state.reset(psn);
        state.wqeIndex = qp.sendQueue.ring().consumer();
        state.refillBudgets(qp);
    }

    @Override
    public void describe(List<String> facts) {
        facts.add("PSNs: next to send " + state.psn + ", oldest unacknowledged " + state.ackedPsn
                + ", behind the last sent " + state.sentPsn);
        facts.add("budgets: " + state.retriesLeft + " of " + qp.retryCount + " retries left, "
                + (qp.rnrForever
                        ? "RNR retries without end"
                        : state.rnrRetriesLeft + " of " + qp.rnrRetry + " RNR retries left"));
        facts.add("window: " + state.window.packets() + " of " + qp.window.packets() + " packets");
        facts.add("READs and atomics under way: " + state.readsUnderWay + " of " + qp.readDepth);
    }

    @Override
    public int psn() {
        return state.psn;
    }
}
