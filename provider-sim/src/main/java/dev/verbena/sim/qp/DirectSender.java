package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.Route;
import org.jspecify.annotations.Nullable;

/** What {@link DirectRequests} needs of a sending half, but not for each request. */
public final class DirectSender {
    final QpContext qp;
    final SendState state;

    // The last two paths that were found to lead to each other.
    @Nullable Route path;

    @Nullable Route pathBack;

    DirectSender(QpContext qp, SendState state) {
        this.qp = qp;
        this.state = state;
    }
}
