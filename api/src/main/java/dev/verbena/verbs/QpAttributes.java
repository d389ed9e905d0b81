// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a queue pair, for a modify or as answer of a query ({@code struct ibv_qp_attr},
 * {@code ibv_modify_qp}(3)). Immutable.
 *
 * <p>An instance records which attributes were set, so the modify mask always agrees with them. The attributes that a
 * transition requires depend on the type:
 *
 * <pre>{@code
 * QpAttributes.toInit(1, 0, AccessFlag.REMOTE_WRITE);          // RESET -> INIT
 * QpAttributes.builder().state(QpState.RTR)                    // INIT -> RTR, RC
 *     .addressVector(AddressVector.toGid(peerGid, sgidIndex)).pathMtu(PathMtu.MTU_1024)
 *     .destinationQpn(peerQpn).rqPsn(peerPsn).maxDestRdAtomic(1)
 *     .minRnrTimer(RnrTimer.atLeast(Duration.ofMillis(1))).build();
 * QpAttributes.builder().state(QpState.RTS)                    // RTR -> RTS, RC
 *     .ackTimeout(AckTimeout.atLeast(Duration.ofMillis(60))).retryCount(7)
 *     .rnrRetryCount(RnrRetryCount.of(6)).sqPsn(ownPsn).maxRdAtomic(1).build();
 * }</pre>
 *
 * <p>Getters throw {@link IllegalStateException} for an attribute that was not set; check {@link #has(QpAttribute)}
 * first.
 *
 * @since 1.0
 */
public final class QpAttributes {
    private final EnumMap<QpAttribute, Object> values;
    private final boolean sqDraining;

    QpAttributes(EnumMap<QpAttribute, Object> values, boolean sqDraining) {
        this.values = values;
        this.sqDraining = sqDraining;
    }

    /**
     * Starts with nothing set.
     *
     * @return a new builder
     */
    public static QpAttributesBuilder builder() {
        return new QpAttributesBuilder(new EnumMap<>(QpAttribute.class), false);
    }

    /**
     * RESET to INIT for RC and UC; UD takes a Q_Key instead of access rights.
     *
     * @param port 1..255
     * @param pkeyIndex 0..65535, mostly 0
     * @param access the rights of the peer
     * @return the attributes
     * @throws IllegalArgumentException if a number is out of range
     */
    public static QpAttributes toInit(int port, int pkeyIndex, AccessFlag... access) {
        return builder()
                .state(QpState.INIT)
                .port(port)
                .pkeyIndex(pkeyIndex)
                .access(access)
                .build();
    }

    /**
     * To RESET, from any state: work is dropped without completions.
     *
     * @return the attributes
     */
    public static QpAttributes reset() {
        return builder().state(QpState.RESET).build();
    }

    /**
     * To ERR, from any state but RESET: all work is flushed.
     *
     * @return the attributes
     */
    public static QpAttributes error() {
        return builder().state(QpState.ERR).build();
    }

    /**
     * Starts from these attributes.
     *
     * @return a new builder
     */
    public QpAttributesBuilder toBuilder() {
        return new QpAttributesBuilder(new EnumMap<>(values), sqDraining);
    }

    /**
     * The attributes that were set.
     *
     * @return an unmodifiable set
     */
    public Set<QpAttribute> present() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /**
     * The modify mask of {@code ibv_modify_qp}.
     *
     * @return the bits of {@link #present()}
     */
    public int mask() {
        return QpAttribute.maskOf(values.keySet());
    }

    /**
     * Returns whether an attribute was set.
     *
     * @param attribute the attribute
     * @return whether its getter returns a value
     */
    public boolean has(QpAttribute attribute) {
        return values.containsKey(attribute);
    }

    private <T> T get(QpAttribute attribute, Class<T> type) {
        Object value = values.get(attribute);
        if (value == null) {
            throw new IllegalStateException("QP attribute " + attribute + " (" + attribute.verbsName()
                    + ") was not set, only " + values.keySet() + "; ask has(QpAttribute." + attribute + ") first");
        }
        return type.cast(value);
    }

    /** {@return the state to go to} */
    public QpState state() {
        return get(QpAttribute.STATE, QpState.class);
    }

    /** {@return the state that the queue pair is taken to be in: RTR, RTS, SQD or SQE} */
    public QpState currentState() {
        return get(QpAttribute.CUR_STATE, QpState.class);
    }

    /** {@return whether {@link AsyncEventType#SQ_DRAINED} is to be raised} */
    public boolean enableSqdAsyncNotify() {
        return get(QpAttribute.EN_SQD_ASYNC_NOTIFY, Boolean.class);
    }

    /**
     * {@link QpAttribute#ACCESS_FLAGS}.
     *
     * @return the rights of the peer, of which REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC have an effect; an
     *     unmodifiable set
     * @throws IllegalStateException if it was not set
     */
    public Set<AccessFlag> access() {
        return AccessFlag.ofMask(get(QpAttribute.ACCESS_FLAGS, Integer.class));
    }

    /** {@return 0..65535, index into the port's P_Key table} */
    public int pkeyIndex() {
        return get(QpAttribute.PKEY_INDEX, Integer.class);
    }

    /** {@return 1..255, the port} */
    public int port() {
        return get(QpAttribute.PORT, Integer.class);
    }

    /** {@return the key, 32 bits; with the top bit set it is privileged} */
    public int qkey() {
        return get(QpAttribute.QKEY, Integer.class);
    }

    /** {@return where the peer is} */
    public AddressVector addressVector() {
        return get(QpAttribute.AV, AddressVector.class);
    }

    /** {@return payload of a full packet; not above {@link PortAttributes#activeMtu()}} */
    public PathMtu pathMtu() {
        return get(QpAttribute.PATH_MTU, PathMtu.class);
    }

    /** {@return how long to wait for an acknowledgement} */
    public AckTimeout ackTimeout() {
        return get(QpAttribute.TIMEOUT, AckTimeout.class);
    }

    /** {@return 0..7, how often to send again; 7 is a number here, not forever} */
    public int retryCount() {
        return get(QpAttribute.RETRY_CNT, Integer.class);
    }

    /** {@return how often to try again when the receiver is not ready} */
    public RnrRetryCount rnrRetryCount() {
        return get(QpAttribute.RNR_RETRY, RnrRetryCount.class);
    }

    /** {@return first number to expect, the peer's {@code sqPsn}} */
    public Psn rqPsn() {
        return get(QpAttribute.RQ_PSN, Psn.class);
    }

    /** {@return 0..255 READs and atomics outstanding as requester; not above the peer's {@code maxDestRdAtomic}} */
    public int maxRdAtomic() {
        return get(QpAttribute.MAX_QP_RD_ATOMIC, Integer.class);
    }

    /** {@return the path to migrate to; InfiniBand only} */
    public AddressVector alternatePath() {
        return get(QpAttribute.ALT_PATH, AddressVector.class);
    }

    /** {@return how long peers must wait when no receive is posted} */
    public RnrTimer minRnrTimer() {
        return get(QpAttribute.MIN_RNR_TIMER, RnrTimer.class);
    }

    /** {@return first number to send, the peer's {@code rqPsn}} */
    public Psn sqPsn() {
        return get(QpAttribute.SQ_PSN, Psn.class);
    }

    /** {@return 0..255 READs and atomics served at once as responder} */
    public int maxDestRdAtomic() {
        return get(QpAttribute.MAX_DEST_RD_ATOMIC, Integer.class);
    }

    /** {@return the state of automatic path migration} */
    public PathMigrationState pathMigrationState() {
        return get(QpAttribute.PATH_MIG_STATE, PathMigrationState.class);
    }

    /** {@return sizes of the queues; a query returns the granted sizes} */
    public QpCapabilities capabilities() {
        return get(QpAttribute.CAP, QpCapabilities.class);
    }

    /** {@return 0..0xFFFFFF, the peer's QP number} */
    public int destinationQpn() {
        return get(QpAttribute.DEST_QPN, Integer.class);
    }

    /**
     * Returns whether a queue pair in SQD is still finishing the requests that it had begun ({@code sq_draining}). Only
     * a query reports the value. A modify cannot set it, so it has no bit in the {@link #mask()}.
     *
     * @return true from the change to SQD until {@link AsyncEventType#SQ_DRAINED} is due; false in every other state
     */
    public boolean sqDraining() {
        return sqDraining;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QpAttributes that && sqDraining == that.sqDraining && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return 2 * values.hashCode() + (sqDraining ? 1 : 0);
    }

    /** Prints the attributes that were set, by name. */
    @Override
    public String toString() {
        return "QpAttributes" + values + (sqDraining ? " draining" : "");
    }
}
