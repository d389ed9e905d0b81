// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.Route;
import org.jspecify.annotations.Nullable;

/** The part of a sender's state that {@link LoopbackRequester} needs once for each batch, not for each request. */
public final class LoopbackSendState {
    final QpContext qp;
    final SendState state;

    // The path of this queue pair when it was last compared with the peer's path and found to be its reverse.
    @Nullable Route path;

    @Nullable Route pathBack;

    LoopbackSendState(QpContext qp, SendState state) {
        this.qp = qp;
        this.state = state;
    }
}
