// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a queue pair, for a call of {@link QueuePair#modify} or as the result of a query ({@code struct
 * ibv_qp_attr}, {@code ibv_modify_qp}(3)). Immutable.
 *
 * <p>A QpAttributes object records which attributes were set, so the mask of {@code ibv_modify_qp} always agrees with
 * the attributes. The attributes that a transition requires depend on the type of the queue pair. This example has the
 * attributes for RC:
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
 * <p>A getter throws {@link IllegalStateException} if its attribute was not set; {@link #has(QpAttribute)} returns whether it was
 * set.
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

    /** {@return a new builder without any attribute} */
    public static QpAttributesBuilder builder() {
        return new QpAttributesBuilder(new EnumMap<>(QpAttribute.class), false);
    }

    /**
     * Creates the attributes of the transition from RESET to INIT for RC and UC. For UD, the transition from RESET to INIT
     * needs a Q_Key instead of access rights.
     *
     * @param port 1..255
     * @param pkeyIndex the index of the partition in the port's P_Key table, 0..65535, usually 0
     * @param access the remote access rights that the queue pair grants to the peer
     * @return the attributes
     * @throws IllegalArgumentException if the port number or the index is out of range
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
     * {@return the attributes of the transition from any state to RESET; the transition drops all posted requests, which
     * then cause no completions}
     */
    public static QpAttributes reset() {
        return builder().state(QpState.RESET).build();
    }

    /**
     * {@return the attributes that move a queue pair to ERR from any state except RESET; the transition flushes the posted
     * requests}
     */
    public static QpAttributes error() {
        return builder().state(QpState.ERR).build();
    }

    /** {@return a new builder with the attributes of this object} */
    public QpAttributesBuilder toBuilder() {
        return new QpAttributesBuilder(new EnumMap<>(values), sqDraining);
    }

    /** {@return an unmodifiable set of the attributes that were set} */
    public Set<QpAttribute> present() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** {@return the mask of {@code ibv_modify_qp} for the attributes in {@link #present()}} */
    public int mask() {
        return QpAttribute.maskOf(values.keySet());
    }

    /**
     * Returns whether an attribute was set.
     *
     * @param attribute the attribute
     * @return whether the attribute was set; the getter of an unset attribute throws {@link IllegalStateException}
     */
    public boolean has(QpAttribute attribute) {
        return values.containsKey(attribute);
    }

    private <T> T get(QpAttribute attribute, Class<T> type) {
        Object value = values.get(attribute);
        if (value == null) {
            throw new IllegalStateException("QP attribute " + attribute + " (" + attribute.verbsName()
                    + ") is not set, only " + values.keySet() + "; check has(QpAttribute." + attribute + ") first");
        }
        return type.cast(value);
    }

    /** {@return the new state} */
    public QpState state() {
        return get(QpAttribute.STATE, QpState.class);
    }

    /** {@return the state at the time of a query, or the state that {@code modify} requires before the transition} */
    public QpState currentState() {
        return get(QpAttribute.CUR_STATE, QpState.class);
    }

    /** {@return whether the device raises {@link AsyncEventType#SQ_DRAINED} in the state SQD} */
    public boolean enableSqdAsyncNotify() {
        return get(QpAttribute.EN_SQD_ASYNC_NOTIFY, Boolean.class);
    }

    /**
     * Returns the remote access rights that the queue pair grants to the peer ({@link QpAttribute#ACCESS_FLAGS}).
     *
     * @return an unmodifiable set, in which only REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC have an effect
     * @throws IllegalStateException if the attribute was not set
     */
    public Set<AccessFlag> access() {
        return AccessFlag.ofMask(get(QpAttribute.ACCESS_FLAGS, Integer.class));
    }

    /** {@return the index of the queue pair's partition in the port's P_Key table, 0..65535} */
    public int pkeyIndex() {
        return get(QpAttribute.PKEY_INDEX, Integer.class);
    }

    /** {@return the port, 1..255} */
    public int port() {
        return get(QpAttribute.PORT, Integer.class);
    }

    /** {@return the Q_Key, 32 bits; a Q_Key with the top bit set is privileged} */
    public int qkey() {
        return get(QpAttribute.QKEY, Integer.class);
    }

    /** {@return the address vector of the peer} */
    public AddressVector addressVector() {
        return get(QpAttribute.AV, AddressVector.class);
    }

    /** {@return the path MTU, which is the payload of a full packet; at most {@link PortAttributes#activeMtu()}} */
    public PathMtu pathMtu() {
        return get(QpAttribute.PATH_MTU, PathMtu.class);
    }

    /** {@return the time that the requester waits for an acknowledgement} */
    public AckTimeout ackTimeout() {
        return get(QpAttribute.TIMEOUT, AckTimeout.class);
    }

    /**
     * {@return the maximum number of retransmissions of an unacknowledged request, 0..7; here 7 does not mean unlimited}
     */
    public int retryCount() {
        return get(QpAttribute.RETRY_CNT, Integer.class);
    }

    /** {@return the maximum number of retransmissions after receiver-not-ready NAKs} */
    public RnrRetryCount rnrRetryCount() {
        return get(QpAttribute.RNR_RETRY, RnrRetryCount.class);
    }

    /** {@return the first PSN that the responder expects, which is the peer's {@code sqPsn}} */
    public Psn rqPsn() {
        return get(QpAttribute.RQ_PSN, Psn.class);
    }

    /**
     * {@return the maximum number of outstanding READs and atomics of the requester, 0..255; at most the peer's
     * {@code maxDestRdAtomic}}
     */
    public int maxRdAtomic() {
        return get(QpAttribute.MAX_QP_RD_ATOMIC, Integer.class);
    }

    /** {@return the alternate path for automatic path migration; InfiniBand only} */
    public AddressVector alternatePath() {
        return get(QpAttribute.ALT_PATH, AddressVector.class);
    }

    /** {@return the time that the peer must wait after an RNR NAK before it retransmits} */
    public RnrTimer minRnrTimer() {
        return get(QpAttribute.MIN_RNR_TIMER, RnrTimer.class);
    }

    /** {@return the first PSN that the requester sends, which is the peer's {@code rqPsn}} */
    public Psn sqPsn() {
        return get(QpAttribute.SQ_PSN, Psn.class);
    }

    /** {@return the maximum number of outstanding READs and atomics that the responder supports, 0..255} */
    public int maxDestRdAtomic() {
        return get(QpAttribute.MAX_DEST_RD_ATOMIC, Integer.class);
    }

    /** {@return the state of automatic path migration} */
    public PathMigrationState pathMigrationState() {
        return get(QpAttribute.PATH_MIG_STATE, PathMigrationState.class);
    }

    /** {@return the queue sizes; a query returns the actual sizes} */
    public QpCapabilities capabilities() {
        return get(QpAttribute.CAP, QpCapabilities.class);
    }

    /** {@return the peer's QPN, 0..0xFFFFFF} */
    public int destinationQpn() {
        return get(QpAttribute.DEST_QPN, Integer.class);
    }

    /**
     * Returns whether a queue pair in SQD is still executing the requests that it had started ({@code sq_draining}).
     * Only a query reports {@code sq_draining}. {@link QueuePair#modify} cannot set {@code sq_draining}, so the
     * attribute mask ({@link #mask()}) has no bit for {@code sq_draining}.
     *
     * @return true while a queue pair in SQD still executes requests; otherwise false
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

    /** {@return the names and values of the queue pair attributes that were set} */
    @Override
    public String toString() {
        return "QpAttributes" + values + (sqDraining ? " draining" : "");
    }
}
