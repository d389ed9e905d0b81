// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.Route;
import org.jspecify.annotations.Nullable;

/** The send state of a queue pair. {@link LoopbackRequester#begin} checks this state before executing a batch. */
public final class LoopbackSendState {
    final QpContext qp;
    final SendState state;

    // In the last successful check, the peer's address vector (`pathBack`) was the reverse of the local one (`path`).
    @Nullable Route path;

    @Nullable Route pathBack;

    LoopbackSendState(QpContext qp, SendState state) {
        this.qp = qp;
        this.state = state;
    }
}
