// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.data.PathCodec;
import dev.verbena.ibverbs.struct.IbvQpAttr;
import dev.verbena.ibverbs.struct.IbvQpCap;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PathMigrationState;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Converts queue pair attributes to and from {@code struct ibv_qp_attr}. */
public final class QpAttributeCodec {
    private static final int PSN_BITS = 0xFFFFFF;

    private QpAttributeCodec() {}

    /** Copies the attributes of {@code attributes} to a {@code struct ibv_qp_attr}, which must contain only zeros. */
    static void write(MemorySegment raw, QpAttributes attributes) {
        for (QpAttribute attribute : attributes.present()) {
            write(raw, attributes, attribute);
        }
    }

    private static void write(MemorySegment raw, QpAttributes from, QpAttribute attribute) {
        switch (attribute) {
            case STATE -> raw.set(JAVA_INT, IbvQpAttr.QP_STATE, from.state().code());
            case CUR_STATE ->
                raw.set(JAVA_INT, IbvQpAttr.CUR_QP_STATE, from.currentState().code());
            case EN_SQD_ASYNC_NOTIFY ->
                raw.set(JAVA_BYTE, IbvQpAttr.EN_SQD_ASYNC_NOTIFY, (byte) (from.enableSqdAsyncNotify() ? 1 : 0));
            case ACCESS_FLAGS -> raw.set(JAVA_INT, IbvQpAttr.QP_ACCESS_FLAGS, AccessFlag.maskOf(from.access()));
            case PKEY_INDEX -> raw.set(JAVA_SHORT, IbvQpAttr.PKEY_INDEX, (short) from.pkeyIndex());
            case PORT -> raw.set(JAVA_BYTE, IbvQpAttr.PORT_NUM, (byte) from.port());
            case QKEY -> raw.set(JAVA_INT, IbvQpAttr.QKEY, from.qkey());
            case AV -> PathCodec.write(raw, IbvQpAttr.AH_ATTR, from.addressVector());
            case PATH_MTU ->
                raw.set(JAVA_INT, IbvQpAttr.PATH_MTU, from.pathMtu().code());
            case TIMEOUT ->
                raw.set(JAVA_BYTE, IbvQpAttr.TIMEOUT, (byte) from.ackTimeout().code());
            case RETRY_CNT -> raw.set(JAVA_BYTE, IbvQpAttr.RETRY_CNT, (byte) from.retryCount());
            case RNR_RETRY ->
                raw.set(JAVA_BYTE, IbvQpAttr.RNR_RETRY, (byte)
                        from.rnrRetryCount().code());
            case RQ_PSN -> raw.set(JAVA_INT, IbvQpAttr.RQ_PSN, from.rqPsn().value());
            case MAX_QP_RD_ATOMIC -> raw.set(JAVA_BYTE, IbvQpAttr.MAX_RD_ATOMIC, (byte) from.maxRdAtomic());
            case ALT_PATH -> {
                PathCodec.write(raw, IbvQpAttr.ALT_AH_ATTR, from.alternatePath());
                raw.set(JAVA_BYTE, IbvQpAttr.ALT_PORT_NUM, (byte)
                        from.alternatePath().port());
            }
            case MIN_RNR_TIMER ->
                raw.set(JAVA_BYTE, IbvQpAttr.MIN_RNR_TIMER, (byte)
                        from.minRnrTimer().code());
            case SQ_PSN -> raw.set(JAVA_INT, IbvQpAttr.SQ_PSN, from.sqPsn().value());
            case MAX_DEST_RD_ATOMIC -> raw.set(JAVA_BYTE, IbvQpAttr.MAX_DEST_RD_ATOMIC, (byte) from.maxDestRdAtomic());
            case PATH_MIG_STATE ->
                raw.set(
                        JAVA_INT,
                        IbvQpAttr.PATH_MIG_STATE,
                        from.pathMigrationState().code());
            case CAP -> write(raw, IbvQpAttr.CAP, from.capabilities());
            case DEST_QPN -> raw.set(JAVA_INT, IbvQpAttr.DEST_QP_NUM, from.destinationQpn());
        }
    }

    static void write(MemorySegment raw, long offset, QpCapabilities depths) {
        raw.set(JAVA_INT, offset + IbvQpCap.MAX_SEND_WR, depths.maxSendWr());
        raw.set(JAVA_INT, offset + IbvQpCap.MAX_RECV_WR, depths.maxReceiveWr());
        raw.set(JAVA_INT, offset + IbvQpCap.MAX_SEND_SGE, depths.maxSendSge());
        raw.set(JAVA_INT, offset + IbvQpCap.MAX_RECV_SGE, depths.maxReceiveSge());
        raw.set(JAVA_INT, offset + IbvQpCap.MAX_INLINE_DATA, depths.maxInlineData());
    }

    static QpCapabilities capabilities(MemorySegment raw, long offset) {
        return new QpCapabilities(
                Math.max(0, raw.get(JAVA_INT, offset + IbvQpCap.MAX_SEND_WR)),
                Math.max(0, raw.get(JAVA_INT, offset + IbvQpCap.MAX_RECV_WR)),
                Math.max(0, raw.get(JAVA_INT, offset + IbvQpCap.MAX_SEND_SGE)),
                Math.max(0, raw.get(JAVA_INT, offset + IbvQpCap.MAX_RECV_SGE)),
                Math.max(0, raw.get(JAVA_INT, offset + IbvQpCap.MAX_INLINE_DATA)));
    }

    /** Reads the state. Throws {@link VerbsException} if the queue pair has a state that Verbena does not know. */
    public static QpState state(MemorySegment raw) throws VerbsException {
        int code = raw.get(JAVA_INT, IbvQpAttr.QP_STATE);
        for (QpState state : QpState.values()) {
            if (state.code() == code) {
                return state;
            }
        }
        throw new VerbsException(
                Errno.EPROTO,
                "ibv_query_qp",
                "the device reports queue pair state " + code
                        + ", which this release does not know; use a later release, or close the" + " queue pair");
    }

    /** Reads only the attributes that {@code ibv_modify_qp} has set, because all other attributes are undefined. */
    public static QpAttributes read(MemorySegment raw, Set<QpAttribute> set, QpState state) {
        QpAttributesBuilder into = QpAttributes.builder();
        for (QpAttribute attribute : set) {
            read(raw, into, attribute);
        }
        return into.state(state)
                .sqDraining(raw.get(JAVA_BYTE, IbvQpAttr.SQ_DRAINING) != 0)
                .build();
    }

    private static void read(MemorySegment raw, QpAttributesBuilder into, QpAttribute attribute) {
        switch (attribute) {
            // The caller sets STATE in the result. The result never contains CUR_STATE or CAP.
            case STATE, CUR_STATE, CAP -> {}
            case EN_SQD_ASYNC_NOTIFY ->
                into.enableSqdAsyncNotify(raw.get(JAVA_BYTE, IbvQpAttr.EN_SQD_ASYNC_NOTIFY) != 0);
            case ACCESS_FLAGS -> into.access(access(raw.get(JAVA_INT, IbvQpAttr.QP_ACCESS_FLAGS)));
            case PKEY_INDEX -> into.pkeyIndex(Short.toUnsignedInt(raw.get(JAVA_SHORT, IbvQpAttr.PKEY_INDEX)));
            case PORT -> into.port(Math.max(1, number(raw, IbvQpAttr.PORT_NUM)));
            case QKEY -> into.qkey(raw.get(JAVA_INT, IbvQpAttr.QKEY));
            case AV -> into.addressVector(PathCodec.read(raw, IbvQpAttr.AH_ATTR));
            case PATH_MTU -> {
                int code = raw.get(JAVA_INT, IbvQpAttr.PATH_MTU);
                // The field `path_mtu` is 0 until a connection manager has modified the queue pair to RTR.
                if (code >= 1 && code <= PathMtu.values().length) {
                    into.pathMtu(PathMtu.ofCode(code));
                }
            }
            case TIMEOUT -> into.ackTimeout(AckTimeout.ofCode(number(raw, IbvQpAttr.TIMEOUT) & 31));
            case RETRY_CNT -> into.retryCount(number(raw, IbvQpAttr.RETRY_CNT) & 7);
            case RNR_RETRY -> into.rnrRetryCount(RnrRetryCount.ofCode(number(raw, IbvQpAttr.RNR_RETRY) & 7));
            case RQ_PSN -> into.rqPsn(Psn.of(raw.get(JAVA_INT, IbvQpAttr.RQ_PSN) & PSN_BITS));
            case MAX_QP_RD_ATOMIC -> into.maxRdAtomic(number(raw, IbvQpAttr.MAX_RD_ATOMIC));
            case ALT_PATH -> into.alternatePath(PathCodec.read(raw, IbvQpAttr.ALT_AH_ATTR));
            case MIN_RNR_TIMER -> into.minRnrTimer(RnrTimer.ofCode(number(raw, IbvQpAttr.MIN_RNR_TIMER) & 31));
            case SQ_PSN -> into.sqPsn(Psn.of(raw.get(JAVA_INT, IbvQpAttr.SQ_PSN) & PSN_BITS));
            case MAX_DEST_RD_ATOMIC -> into.maxDestRdAtomic(number(raw, IbvQpAttr.MAX_DEST_RD_ATOMIC));
            case PATH_MIG_STATE -> {
                int code = raw.get(JAVA_INT, IbvQpAttr.PATH_MIG_STATE);
                if (code >= 0 && code < PathMigrationState.values().length) {
                    into.pathMigrationState(PathMigrationState.of(code));
                }
            }
            case DEST_QPN -> into.destinationQpn(raw.get(JAVA_INT, IbvQpAttr.DEST_QP_NUM) & PSN_BITS);
        }
    }

    /** Converts {@code bits} to access flags, but drops flags that {@code ibv_modify_qp} cannot set. */
    private static Set<AccessFlag> access(int bits) {
        int remote = AccessFlag.REMOTE_WRITE.mask() | AccessFlag.REMOTE_READ.mask() | AccessFlag.REMOTE_ATOMIC.mask();
        return AccessFlag.ofMask(bits & (remote | AccessFlag.LOCAL_WRITE.mask()));
    }

    private static int number(MemorySegment raw, long offset) {
        return Byte.toUnsignedInt(raw.get(JAVA_BYTE, offset));
    }
}
