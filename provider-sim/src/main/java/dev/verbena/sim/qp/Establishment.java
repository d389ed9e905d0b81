// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.QpState;

/** Raises COMM_EST once for each connection when the peer sends while this queue pair is still in RTR. */
final class Establishment {
    private final QpContext qp;
    private final QpOutput out;
    private boolean told;

    Establishment(QpContext qp, QpOutput out) {
        this.qp = qp;
        this.out = out;
    }

    /** Allows COMM_EST to be raised for the next connection. */
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
