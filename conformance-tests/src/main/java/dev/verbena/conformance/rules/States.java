// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Pd;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.function.UnaryOperator;

final class States {
    /** A Q_Key that an unprivileged process may use. */
    static final int QKEY = 0x1111_1111;

    private static final Connection CONNECTION = Connection.usual();

    private States() {}

    /** Returns the attributes that the transition to a state requires, for a queue pair of any type. */
    static QpAttributes step(Qp qp, Qp peer, QpState to) {
        return switch (to) {
            case INIT -> init(qp);
            case RTR ->
                qp.type() == QpType.UD
                        ? QpAttributes.builder().state(QpState.RTR).build()
                        : CONNECTION.rtr(qp, peer);
            case RTS -> CONNECTION.rts(qp);
            case SQD, RESET, ERR, SQE -> QpAttributes.builder().state(to).build();
        };
    }

    private static QpAttributes init(Qp qp) {
        if (qp.type() != QpType.UD) {
            return CONNECTION.init(qp);
        }
        QpAttributesBuilder attributes =
                QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).qkey(QKEY);
        return attributes.port(qp.side().facts().source().port()).build();
    }

    static boolean has(Pair pair, QpType type) {
        Capability needed = switch (type) {
            case RC -> Capability.RC;
            case UC -> Capability.UC;
            case UD -> Capability.UD;
        };
        return pair.first().facts().capabilities().contains(needed);
    }

    /**
     * Creates two queue pairs, and moves the requester's queue pair to the given state. If the caller wants RC and SQE,
     * this method creates UD queue pairs, because an RC queue pair never enters SQE. If the devices do not support the
     * queue pair type or cannot reach the given state, throws JUnit's TestAbortedException. Only rule STATE-15 checks that
     * the devices reach SQE.
     */
    static Pair.Ends in(Pair pair, QpType wanted, QpState state) {
        QpType type = state == QpState.SQE && wanted == QpType.RC ? QpType.UD : wanted;
        assumeTrue(has(pair, type));
        assumeTrue(state != QpState.SQD || pair.first().facts().capabilities().contains(Capability.SQ_DRAIN));
        Shape shape = Shape.usual().withType(type);
        Pair.Ends ends = pair.unconnected(shape, shape);
        if (state == QpState.SQE) {
            ready(pair, ends);
            failASend(pair, ends);
        } else {
            bring(ends.requester().qp(), ends.responder().qp(), state);
        }
        return ends;
    }

    /**
     * Posts a SEND from a memory region of another protection domain, and polls the completion of this SEND. The failed
     * SEND moves the requester's queue pair to SQE.
     */
    private static void failASend(Pair pair, Pair.Ends ends) {
        Region foreign = Pd.open(pair.first()).register(ends.requester().memory());
        ends.requester().send(send(ends, Long.MAX_VALUE, entryless -> entryless.from(foreign.sge(0, 8))));
        ends.requester().sends().await(1);
        assumeTrue(ends.requester().qp().state() == QpState.SQE);
    }

    /** Returns a SEND request with 8 bytes for the responder. The queue pair may have any type. */
    static Send send(Pair.Ends ends, long id) {
        return send(ends, id, entryless -> entryless.from(ends.requester().sge(0, 8)));
    }

    private static Send send(Pair.Ends ends, long id, UnaryOperator<Send> entries) {
        Send send = entries.apply(Send.send(id));
        return ends.requester().qp().type() == QpType.UD
                ? Datagrams.of(ends.requester(), ends.responder()).to(send)
                : send;
    }

    /** Modifies a queue pair from RESET to a state other than SQE. */
    static void bring(Qp qp, Qp peer, QpState state) {
        switch (state) {
            case RESET -> {}
            case INIT -> qp.modify(step(qp, peer, QpState.INIT));
            case RTR -> {
                bring(qp, peer, QpState.INIT);
                qp.modify(step(qp, peer, QpState.RTR));
            }
            case RTS -> {
                bring(qp, peer, QpState.RTR);
                qp.modify(step(qp, peer, QpState.RTS));
            }
            case SQD -> {
                bring(qp, peer, QpState.RTS);
                qp.modify(step(qp, peer, QpState.SQD));
            }
            case ERR -> {
                bring(qp, peer, QpState.RTS);
                qp.modify(QpAttributes.error());
            }
            case SQE -> throw new IllegalArgumentException("no modify leads to SQE");
        }
    }

    /** Modifies both queue pairs, which may have any type, to RTS. */
    static void ready(Pair pair, Pair.Ends ends) {
        if (ends.requester().qp().type() == QpType.UD) {
            bring(ends.requester().qp(), ends.responder().qp(), QpState.RTS);
            bring(ends.responder().qp(), ends.requester().qp(), QpState.RTS);
        } else {
            pair.connect(ends, CONNECTION);
        }
    }

    static QpAttributes without(QpAttributes attributes, QpAttribute missing) {
        QpAttributesBuilder rest = QpAttributes.builder();
        for (QpAttribute attribute : attributes.present()) {
            if (attribute != missing) {
                copy(attribute, attributes, rest);
            }
        }
        return rest.build();
    }

    private static void copy(QpAttribute attribute, QpAttributes from, QpAttributesBuilder to) {
        switch (attribute) {
            case STATE -> to.state(from.state());
            case PORT -> to.port(from.port());
            case PKEY_INDEX -> to.pkeyIndex(from.pkeyIndex());
            case QKEY -> to.qkey(from.qkey());
            case ACCESS_FLAGS -> to.access(from.access());
            case AV -> to.addressVector(from.addressVector());
            case PATH_MTU -> to.pathMtu(from.pathMtu());
            case DEST_QPN -> to.destinationQpn(from.destinationQpn());
            case RQ_PSN -> to.rqPsn(from.rqPsn());
            case SQ_PSN -> to.sqPsn(from.sqPsn());
            case MAX_DEST_RD_ATOMIC -> to.maxDestRdAtomic(from.maxDestRdAtomic());
            case MAX_QP_RD_ATOMIC -> to.maxRdAtomic(from.maxRdAtomic());
            case MIN_RNR_TIMER -> to.minRnrTimer(from.minRnrTimer());
            case TIMEOUT -> to.ackTimeout(from.ackTimeout());
            case RETRY_CNT -> to.retryCount(from.retryCount());
            case RNR_RETRY -> to.rnrRetryCount(from.rnrRetryCount());
            case CUR_STATE, EN_SQD_ASYNC_NOTIFY, ALT_PATH, PATH_MIG_STATE, CAP ->
                throw new IllegalArgumentException("no usual step has " + attribute);
        }
    }
}
