package dev.verbena.sim.qp;

/** What {@link DirectRequests} needs of a sending half. */
public final class DirectSender {
    final QpContext qp;
    final SendState state;

    DirectSender(QpContext qp, SendState state) {
        this.qp = qp;
        this.state = state;
    }
}
