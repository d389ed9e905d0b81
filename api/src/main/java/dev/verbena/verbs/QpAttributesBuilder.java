// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * A builder of {@link QpAttributes} that records which attributes were set; not thread-safe.
 *
 * @since 1.0
 */
public final class QpAttributesBuilder {
    private final EnumMap<QpAttribute, Object> values;
    private boolean sqDraining;

    QpAttributesBuilder(EnumMap<QpAttribute, Object> values, boolean sqDraining) {
        this.values = values;
        this.sqDraining = sqDraining;
    }

    private QpAttributesBuilder set(QpAttribute attribute, Object value) {
        values.put(attribute, Objects.requireNonNull(value, attribute.name()));
        return this;
    }

    /**
     * Sets {@link QpAttribute#STATE}.
     *
     * @param value the new state of the queue pair
     * @return this builder
     */
    public QpAttributesBuilder state(QpState value) {
        return set(QpAttribute.STATE, value);
    }

    /**
     * Sets {@link QpAttribute#CUR_STATE}.
     *
     * @param value the state that the queue pair must have before the call of {@code modify}, one of RTR, RTS, SQD or SQE
     * @return this builder
     */
    public QpAttributesBuilder currentState(QpState value) {
        return set(QpAttribute.CUR_STATE, value);
    }

    /**
     * Sets {@link QpAttribute#EN_SQD_ASYNC_NOTIFY}.
     *
     * @param value whether the device raises {@link AsyncEventType#SQ_DRAINED} in the state SQD
     * @return this builder
     */
    public QpAttributesBuilder enableSqdAsyncNotify(boolean value) {
        return set(QpAttribute.EN_SQD_ASYNC_NOTIFY, value);
    }

    /**
     * Sets {@link QpAttribute#ACCESS_FLAGS}.
     *
     * @param value the remote access rights to grant; only REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC have an effect
     * @return this builder
     */
    public QpAttributesBuilder access(Set<AccessFlag> value) {
        return set(QpAttribute.ACCESS_FLAGS, AccessFlag.maskOf(value));
    }

    /**
     * Sets {@link QpAttribute#ACCESS_FLAGS}.
     *
     * @param value remote access rights to grant, or none; only REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC have an effect
     * @return this builder
     */
    public QpAttributesBuilder access(AccessFlag... value) {
        Set<AccessFlag> set = EnumSet.noneOf(AccessFlag.class);
        Collections.addAll(set, value);
        return access(set);
    }

    /**
     * Sets {@link QpAttribute#PKEY_INDEX}.
     *
     * @param value the index of the queue pair's partition in the port's P_Key table, 0..65535
     * @return this builder
     * @throws IllegalArgumentException if out of range
     */
    public QpAttributesBuilder pkeyIndex(int value) {
        return set(
                QpAttribute.PKEY_INDEX,
                ValueChecks.inRange(
                        "pkeyIndex", value, 0, 0xFFFF, "use an index of the port's P_Key table, usually 0"));
    }

    /**
     * Sets {@link QpAttribute#PORT}.
     *
     * @param value 1..255, the port
     * @return this builder
     * @throws IllegalArgumentException if out of range
     */
    public QpAttributesBuilder port(int value) {
        return set(QpAttribute.PORT, ValueChecks.inRange("port", value, 1, 0xFF, "ports count from 1"));
    }

    /**
     * Sets {@link QpAttribute#QKEY}.
     *
     * @param value the Q_Key, 32 bits; a Q_Key with the top bit set is privileged
     * @return this builder
     */
    public QpAttributesBuilder qkey(int value) {
        return set(QpAttribute.QKEY, value);
    }

    /**
     * Sets {@link QpAttribute#AV}.
     *
     * @param value the address vector of the peer
     * @return this builder
     */
    public QpAttributesBuilder addressVector(AddressVector value) {
        return set(QpAttribute.AV, value);
    }

    /**
     * Sets {@link QpAttribute#PATH_MTU}.
     *
     * @param value the path MTU, which is the payload of a full packet; at most {@link PortAttributes#activeMtu()}
     * @return this builder
     */
    public QpAttributesBuilder pathMtu(PathMtu value) {
        return set(QpAttribute.PATH_MTU, value);
    }

    /**
     * Sets {@link QpAttribute#TIMEOUT}.
     *
     * @param value the time that the requester waits for an acknowledgement
     * @return this builder
     */
    public QpAttributesBuilder ackTimeout(AckTimeout value) {
        return set(QpAttribute.TIMEOUT, value);
    }

    /**
     * Sets {@link QpAttribute#RETRY_CNT}.
     *
     * @param value the maximum number of retransmissions of an unacknowledged request, 0..7; the value 7 does not mean
     *     unlimited
     * @return this builder
     * @throws IllegalArgumentException if out of range
     */
    public QpAttributesBuilder retryCount(int value) {
        return set(QpAttribute.RETRY_CNT, ValueChecks.inRange("retryCount", value, 0, 7, "the field has three bits"));
    }

    /**
     * Sets {@link QpAttribute#RNR_RETRY}.
     *
     * @param value the maximum number of retransmissions after receiver-not-ready NAKs
     * @return this builder
     */
    public QpAttributesBuilder rnrRetryCount(RnrRetryCount value) {
        return set(QpAttribute.RNR_RETRY, value);
    }

    /**
     * Sets {@link QpAttribute#RQ_PSN}.
     *
     * @param value the first PSN that the responder expects, which is the peer's {@code sqPsn}
     * @return this builder
     */
    public QpAttributesBuilder rqPsn(Psn value) {
        return set(QpAttribute.RQ_PSN, value);
    }

    /**
     * Sets {@link QpAttribute#MAX_QP_RD_ATOMIC}.
     *
     * @param value the maximum number of READs and atomics that the requester may have outstanding, 0..255; at most the peer's
     *     {@code maxDestRdAtomic}
     * @return this builder
     * @throws IllegalArgumentException if out of range
     */
    public QpAttributesBuilder maxRdAtomic(int value) {
        return set(
                QpAttribute.MAX_QP_RD_ATOMIC,
                ValueChecks.inRange("maxRdAtomic", value, 0, 0xFF, "DeviceAttributes.maxQpInitRdAtom is the maximum"));
    }

    /**
     * Sets {@link QpAttribute#ALT_PATH}.
     *
     * @param value the alternate path for automatic path migration; InfiniBand only
     * @return this builder
     */
    public QpAttributesBuilder alternatePath(AddressVector value) {
        return set(QpAttribute.ALT_PATH, value);
    }

    /**
     * Sets {@link QpAttribute#MIN_RNR_TIMER}.
     *
     * @param value the time that the peer must wait after an RNR NAK before it retransmits
     * @return this builder
     */
    public QpAttributesBuilder minRnrTimer(RnrTimer value) {
        return set(QpAttribute.MIN_RNR_TIMER, value);
    }

    /**
     * Sets {@link QpAttribute#SQ_PSN}.
     *
     * @param value the first PSN that the requester sends, which is the peer's {@code rqPsn}
     * @return this builder
     */
    public QpAttributesBuilder sqPsn(Psn value) {
        return set(QpAttribute.SQ_PSN, value);
    }

    /**
     * Sets {@link QpAttribute#MAX_DEST_RD_ATOMIC}.
     *
     * @param value the maximum number of outstanding READs and atomics that the responder supports, 0..255
     * @return this builder
     * @throws IllegalArgumentException if out of range
     */
    public QpAttributesBuilder maxDestRdAtomic(int value) {
        return set(
                QpAttribute.MAX_DEST_RD_ATOMIC,
                ValueChecks.inRange("maxDestRdAtomic", value, 0, 0xFF, "DeviceAttributes.maxQpRdAtom is the maximum"));
    }

    /**
     * Sets {@link QpAttribute#PATH_MIG_STATE}.
     *
     * @param value the state of automatic path migration
     * @return this builder
     */
    public QpAttributesBuilder pathMigrationState(PathMigrationState value) {
        return set(QpAttribute.PATH_MIG_STATE, value);
    }

    /**
     * Sets {@link QpAttribute#CAP}.
     *
     * @param value the queue sizes; a query returns the actual sizes
     * @return this builder
     */
    public QpAttributesBuilder capabilities(QpCapabilities value) {
        return set(QpAttribute.CAP, value);
    }

    /**
     * Sets {@link QpAttribute#DEST_QPN}.
     *
     * @param value the peer's QPN, 0..0xFFFFFF
     * @return this builder
     * @throws IllegalArgumentException if out of range
     */
    public QpAttributesBuilder destinationQpn(int value) {
        return set(
                QpAttribute.DEST_QPN,
                ValueChecks.inRange("destinationQpn", value, 0, 0xFF_FFFF, "QP numbers have 24 bits"));
    }

    /**
     * Sets the value of {@link QpAttributes#sqDraining()}, for providers that report the result of a query. {@code
     * QueuePair.modify} ignores {@code sqDraining}.
     *
     * @param value whether the queue pair is draining its send queue
     * @return this builder
     */
    public QpAttributesBuilder sqDraining(boolean value) {
        sqDraining = value;
        return this;
    }

    /** {@return the attributes that were set; the program may continue to use the builder} */
    public QpAttributes build() {
        return new QpAttributes(new EnumMap<>(values), sqDraining);
    }
}
