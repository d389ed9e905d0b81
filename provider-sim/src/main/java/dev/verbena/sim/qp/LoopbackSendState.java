// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.Route;
import org.jspecify.annotations.Nullable;

/** The state of a sending queue pair that {@link LoopbackRequester} needs once for each batch of send requests. */
public final class LoopbackSendState {
    final QpContext qp;
    final SendState state;

    // This queue pair's path and the peer's path at the last check that found one to be the reverse of the other.
    @Nullable Route path;

    @Nullable Route pathBack;

    LoopbackSendState(QpContext qp, SendState state) {
        this.qp = qp;
        this.state = state;
    }
}
