package dev.verbena.sim.qp;

/** What {@link DirectRequests} needs of a sending half. */
public final class DirectSender {
    final QpContext qp;
    final SendState state;
    final QpOutput out;

    DirectSender(QpContext qp, SendState state, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.out = out;
    }
}
