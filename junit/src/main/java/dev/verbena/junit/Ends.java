// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;

/** Connects queue pairs, with finite retry counts. */
final class Ends {
    private static final int RETRIES = 7;

    /** The ACK timeout in virtual time, about 1 ms. */
    private static final AckTimeout VIRTUAL_TIMEOUT = AckTimeout.ofCode(8);

    /** The ACK timeout in wall-clock time, about 67 ms. With a shorter timeout, a busy host could use up the retries. */
    private static final AckTimeout WALL_TIMEOUT = AckTimeout.ofCode(14);

    /**
     * The maximum finite RNR retry count. With an infinite RNR retry count, a missing receive request would cause endless
     * retries instead of a failed completion.
     */
    private static final int RNR_RETRIES = 6;

    private Ends() {}

    /** Connects two endpoints, whose RC or UC queue pairs are in the state RESET. */
    static void connect(QpEnd left, QpEnd right) throws VerbsException {
        QpConnector here = connector(left.qp());
        QpConnector there = connector(right.qp());
        there.connect(here.local());
        here.connect(there.local());
    }

    private static QpConnector connector(QueuePair qp) throws VerbsException {
        return QpConnector.builder(qp)
                .access(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)
                .ackTimeout(qp.protectionDomain().device().runtime().isVirtual() ? VIRTUAL_TIMEOUT : WALL_TIMEOUT)
                .retryCount(RETRIES)
                .rnrRetryCount(RnrRetryCount.of(RNR_RETRIES))
                .build();
    }

    static void start(QueuePair qp) throws VerbsException {
        qp.modify(QpAttributes.builder()
                .state(QpState.INIT)
                .port(1)
                .pkeyIndex(0)
                .qkey(UdPair.QKEY)
                .build());
        qp.modify(QpAttributes.builder().state(QpState.RTR).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(Psn.of(0)).build());
    }
}
