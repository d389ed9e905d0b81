package dev.verbena.sim.qp;

import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.QpState;

/** Tells the user of a connection that the peer sends already while this side is still in RTR. */
final class Establishment {
    private final QpContext qp;
    private final QpOutput out;
    private boolean told;

    Establishment(QpContext qp, QpOutput out) {
        this.qp = qp;
        this.out = out;
    }

    /** A new connection begins. */
    void forget() {
        told = false;
    }

    void onRequest() {
        if (!told && qp.state() == QpState.RTR) {
            told = true;
            out.raise(AsyncEventType.COMM_EST);
        }
    }
}
