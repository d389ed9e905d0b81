package dev.verbena.conformance.rules;

import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Qp;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;

/** Ways into the states of a queue pair. */
final class States {
    /** A key that no privilege is needed for. */
    static final int QKEY = 0x1111_1111;

    private static final Connection CONNECTION = Connection.usual();

    private States() {}

    /** The attributes that a transition on the usual way demands, for a queue pair of any type. */
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

    /** Brings a queue pair from RESET into a state by modify; SQE cannot be reached so, and means ERR here. */
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
            case SQE, ERR -> {
                bring(qp, peer, QpState.RTS);
                qp.modify(QpAttributes.error());
            }
        }
    }

    /** Brings both ends of any type to RTS. */
    static void ready(Pair pair, Pair.Ends ends) {
        if (ends.requester().qp().type() == QpType.UD) {
            bring(ends.requester().qp(), ends.responder().qp(), QpState.RTS);
            bring(ends.responder().qp(), ends.requester().qp(), QpState.RTS);
        } else {
            pair.connect(ends, CONNECTION);
        }
    }

    /** The same attributes without one of them. */
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
            case ADDRESS_VECTOR -> to.addressVector(from.addressVector());
            case PATH_MTU -> to.pathMtu(from.pathMtu());
            case DESTINATION_QPN -> to.destinationQpn(from.destinationQpn());
            case RQ_PSN -> to.rqPsn(from.rqPsn());
            case SQ_PSN -> to.sqPsn(from.sqPsn());
            case MAX_DEST_RD_ATOMIC -> to.maxDestRdAtomic(from.maxDestRdAtomic());
            case MAX_RD_ATOMIC -> to.maxRdAtomic(from.maxRdAtomic());
            case MIN_RNR_TIMER -> to.minRnrTimer(from.minRnrTimer());
            case ACK_TIMEOUT -> to.ackTimeout(from.ackTimeout());
            case RETRY_COUNT -> to.retryCount(from.retryCount());
            case RNR_RETRY_COUNT -> to.rnrRetryCount(from.rnrRetryCount());
            case CURRENT_STATE, ENABLE_SQD_ASYNC_NOTIFY, ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPABILITIES ->
                throw new IllegalArgumentException("no usual step has " + attribute);
        }
    }
}
