// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.qp.QpTransitions;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.UdpSourcePort;
import org.jspecify.annotations.Nullable;

/**
 * Checks and executes {@code ibv_modify_qp} for one queue pair, and stores the new attributes. The caller must serialize calls.
 */
final class QpModifier {
    private static final String VERB = "ibv_modify_qp";

    private final QpContext qp;
    private final QpEngine engine;
    private final ChannelAdapter adapter;
    private QpAttributes set = QpAttributes.reset();
    private int reserved;

    QpModifier(QpContext qp, QpEngine engine, ChannelAdapter adapter) {
        this.qp = qp;
        this.engine = engine;
        this.adapter = adapter;
    }

    /** Checks the state transition, the attribute mask and the attribute values. Returns the next state. */
    QpState check(QpState from, QpAttributes wanted) throws VerbsException {
        if (wanted.has(QpAttribute.CUR_STATE) && wanted.currentState() != from) {
            throw refuse("it is in " + from + ", not in " + wanted.currentState() + " as CUR_STATE says");
        }
        QpState to = wanted.has(QpAttribute.STATE) ? wanted.state() : from;
        if (to == QpState.SQD && !adapter.profile().capabilities().contains(Capability.SQ_DRAIN)) {
            throw new CapabilityException(Capability.SQ_DRAIN, VERB, adapter.name());
        }
        if (qp.isDraining() && from == QpState.SQD && to != QpState.ERR && to != QpState.RESET) {
            throw refuse("its send queue is being drained; wait for SQ_DRAINED, or move it to ERR or RESET");
        }
        QpTransitions.Transition transition = QpTransitions.find(qp.type(), from, to);
        if (transition == null) {
            throw refuse(from + " to " + to + " is not an allowed transition"
                    + (from == QpState.ERR ? "; move it to RESET first" : ""));
        }
        for (QpAttribute attribute : transition.required()) {
            if (!wanted.has(attribute)) {
                throw refuse(from + " to " + to + " needs " + attribute + ", which is not set");
            }
        }
        for (QpAttribute attribute : wanted.present()) {
            if (attribute != QpAttribute.STATE
                    && !transition.required().contains(attribute)
                    && !transition.optional().contains(attribute)) {
                throw refuse(attribute + " may not be set in the transition from " + from + " to " + to);
            }
        }
        checkValues(wanted);
        return to;
    }

    private void checkValues(QpAttributes wanted) throws VerbsException {
        if (wanted.has(QpAttribute.PORT) && wanted.port() != 1) {
            throw refuse("port " + wanted.port() + " does not exist; the device has port 1 only");
        }
        if (wanted.has(QpAttribute.PKEY_INDEX) && wanted.pkeyIndex() != 0) {
            throw refuse("P_Key index " + wanted.pkeyIndex() + " does not exist; the table has entry 0 only");
        }
        if (wanted.has(QpAttribute.PATH_MTU)
                && !adapter.has(Quirk.PATH_MTU_UNCHECKED)
                && wanted.pathMtu().bytes() > adapter.port().activeMtu().bytes()) {
            throw refuse("path MTU " + wanted.pathMtu().bytes() + " is above the port's active MTU "
                    + adapter.port().activeMtu().bytes() + "; use the smaller active MTU of the two sides");
        }
        DeviceAttributes limits = adapter.profile().attributes();
        int depth = limits.maxQpRdAtom();
        if (wanted.has(QpAttribute.MAX_QP_RD_ATOMIC) && wanted.maxRdAtomic() > limits.maxQpInitRdAtom()) {
            throw refuse(
                    "maxRdAtomic " + wanted.maxRdAtomic() + " is above the device's limit " + limits.maxQpInitRdAtom());
        }
        if (wanted.has(QpAttribute.MAX_DEST_RD_ATOMIC) && wanted.maxDestRdAtomic() > depth) {
            throw refuse("maxDestRdAtomic " + wanted.maxDestRdAtomic() + " is above the device's limit " + depth);
        }
        if (wanted.has(QpAttribute.ALT_PATH)) {
            throw refuse("a RoCE port has no alternate path; do not set ALT_PATH");
        }
        if (wanted.has(QpAttribute.AV)) {
            adapter.port().addressVectors().sourceOf(wanted.addressVector(), VERB, subject());
        }
    }

    private VerbsException refuse(String why) {
        return new VerbsException(Errno.EINVAL, VERB, subject() + ": " + why);
    }

    private String subject() {
        return "QP " + qp.number() + " (" + qp.type() + ")";
    }

    /** Reserves responder resources. Each stores a READ, atomic, ATOMIC_WRITE or FLUSH, to respond to its duplicates. */
    private void reserve(int depth) throws VerbsException {
        if (depth > reserved) {
            adapter.quotas().responderResources().take(depth - reserved, VERB);
        } else {
            adapter.quotas().responderResources().release(reserved - depth);
        }
        reserved = depth;
    }

    void forget() {
        adapter.quotas().responderResources().release(reserved);
        reserved = 0;
        set = QpAttributes.reset();
    }

    /** Applies the attributes that {@link #check} has allowed, for a state other than RESET and ERR. The state changes last. */
    void apply(QpAttributes wanted, QpState present, QpState next) throws VerbsException {
        if (wanted.has(QpAttribute.MAX_DEST_RD_ATOMIC)) {
            reserve(depth(wanted.maxDestRdAtomic()));
        }
        QpAttributesBuilder merged = set.toBuilder();
        for (QpAttribute attribute : wanted.present()) {
            merge(merged, wanted, attribute);
        }
        set = merged.build();
        if (wanted.has(QpAttribute.AV) || wanted.has(QpAttribute.DEST_QPN)) {
            setPath();
        }
        if (wanted.has(QpAttribute.RQ_PSN)) {
            engine.startReceiving(wanted.rqPsn().value());
        }
        if (wanted.has(QpAttribute.SQ_PSN)) {
            engine.startSending(wanted.sqPsn().value());
        }
        if (next == QpState.SQD && present != QpState.SQD) {
            qp.drain(wanted.has(QpAttribute.EN_SQD_ASYNC_NOTIFY) && wanted.enableSqdAsyncNotify());
        }
        if (next != present && !qp.change(present, next)) {
            throw refuse(
                    "it moved to " + qp.state() + " during the call, as a peer's request failed; move it to RESET");
        }
    }

    private void merge(QpAttributesBuilder into, QpAttributes from, QpAttribute attribute) {
        switch (attribute) {
            case STATE -> into.state(from.state());
            case ACCESS_FLAGS -> {
                into.access(from.access());
                qp.access(AccessFlag.maskOf(from.access()));
            }
            case PKEY_INDEX -> into.pkeyIndex(from.pkeyIndex());
            case PORT -> into.port(from.port());
            case QKEY -> {
                into.qkey(from.qkey());
                qp.queueKey(from.qkey());
            }
            case AV -> into.addressVector(from.addressVector());
            case PATH_MTU -> {
                PathMtu mtu = from.pathMtu();
                into.pathMtu(mtu);
                qp.pathMtu(mtu.bytes());
            }
            case TIMEOUT -> {
                AckTimeout timeout = from.ackTimeout();
                into.ackTimeout(timeout);
                qp.ackTimeout(timeout.isNone() ? 0 : timeout.nanos());
            }
            case RETRY_CNT -> {
                into.retryCount(from.retryCount());
                qp.retryCount(from.retryCount());
            }
            case RNR_RETRY -> {
                RnrRetryCount count = from.rnrRetryCount();
                into.rnrRetryCount(count);
                qp.rnrRetry(count.code(), count.isForever());
            }
            case RQ_PSN -> into.rqPsn(from.rqPsn());
            case SQ_PSN -> into.sqPsn(from.sqPsn());
            case MAX_QP_RD_ATOMIC -> {
                int depth = depth(from.maxRdAtomic());
                into.maxRdAtomic(depth);
                qp.readDepth(depth);
            }
            case MAX_DEST_RD_ATOMIC -> {
                int depth = depth(from.maxDestRdAtomic());
                into.maxDestRdAtomic(depth);
                qp.responderDepth(depth);
            }
            case MIN_RNR_TIMER -> {
                into.minRnrTimer(from.minRnrTimer());
                qp.minRnrTimer(from.minRnrTimer().code());
            }
            case DEST_QPN -> {
                into.destinationQpn(from.destinationQpn());
                qp.destinationQpn(from.destinationQpn());
            }
            case EN_SQD_ASYNC_NOTIFY -> into.enableSqdAsyncNotify(from.enableSqdAsyncNotify());
            case PATH_MIG_STATE -> into.pathMigrationState(from.pathMigrationState());
            case CUR_STATE, CAP, ALT_PATH -> {
                // CUR_STATE is compared with the current state, but not stored. No transition allows CAP, and `check()`
                // refuses ALT_PATH, so this method sets neither CAP nor ALT_PATH.
            }
        }
    }

    /**
     * Returns the value to set for max_rd_atomic or max_dest_rd_atomic: the requested value, rounded up to a power of two
     * under {@link Quirk#READ_DEPTH_ROUNDED}.
     */
    private int depth(int asked) {
        boolean even = asked == 0 || Integer.bitCount(asked) == 1;
        return even || !adapter.has(Quirk.READ_DEPTH_ROUNDED) ? asked : Integer.highestOneBit(asked) << 1;
    }

    private void setPath() {
        if (!set.has(QpAttribute.AV) || !set.has(QpAttribute.DEST_QPN)) {
            return;
        }
        GlobalRoute route = set.addressVector().route().orElseThrow();
        @Nullable Gid source = adapter.port().addressVectors().gid(route.sgidIndex());
        if (source == null) {
            return;
        }
        int flow =
                route.flowLabel() != 0 ? route.flowLabel() : UdpSourcePort.flowLabel(qp.number(), set.destinationQpn());
        qp.path(
                source.high(),
                source.low(),
                route.destination().high(),
                route.destination().low(),
                UdpSourcePort.forFlowLabel(flow),
                route.trafficClass(),
                route.hopLimit());
    }

    QpAttributes query(QpCapabilities capabilities) {
        QpState state = qp.state();
        QpAttributesBuilder answer =
                set.toBuilder().state(state).currentState(state).capabilities(capabilities);
        answer.sqDraining(state == QpState.SQD && qp.isDraining());
        if (set.has(QpAttribute.SQ_PSN)) {
            answer.sqPsn(Psn.of(engine.sendPsn()));
        }
        if (set.has(QpAttribute.RQ_PSN)) {
            answer.rqPsn(Psn.of(engine.receivePsn()));
        }
        return answer.build();
    }
}
