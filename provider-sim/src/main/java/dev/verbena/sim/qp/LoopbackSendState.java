// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.Route;
import org.jspecify.annotations.Nullable;

/** The part of a sender's state that {@link LoopbackRequester} needs once for each batch, not for each request. */
public final class LoopbackSendState {
    final QpContext qp;
    final SendState state;

    // The paths of this queue pair and of the peer, when a check last found that one path is the reverse of the other.
    @Nullable Route path;

    @Nullable Route pathBack;

    LoopbackSendState(QpContext qp, SendState state) {
        this.qp = qp;
        this.state = state;
    }
}
