// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * The attributes that {@link QueuePair#modify} can set ({@code enum ibv_qp_attr_mask}, {@code ibv_modify_qp}(3)). Each
 * state transition requires some attributes and allows others. Any further attribute causes {@link Errno#EINVAL}.
 *
 * @since 1.0
 */
public enum QpAttribute {
    /** The new state of the queue pair. */
    STATE(1, "IBV_QP_STATE"),
    /**
     * The state that the queue pair must have before the call of {@code modify}, one of RTR, RTS, SQD or SQE. If the actual
     * state of the queue pair differs from {@code CUR_STATE}, for example because an error moved the queue pair to SQE, the
     * call of {@code modify} fails and changes nothing.
     */
    CUR_STATE(2, "IBV_QP_CUR_STATE"),
    /** Whether the device raises {@link AsyncEventType#SQ_DRAINED} in the state SQD. */
    EN_SQD_ASYNC_NOTIFY(4, "IBV_QP_EN_SQD_ASYNC_NOTIFY"),
    /** The remote access rights that the queue pair grants to the peer. RC and UC. */
    ACCESS_FLAGS(8, "IBV_QP_ACCESS_FLAGS"),
    /** The index of the queue pair's partition in the port's P_Key table. */
    PKEY_INDEX(0x10, "IBV_QP_PKEY_INDEX"),
    /** The port, counted from 1. */
    PORT(0x20, "IBV_QP_PORT"),
    /** The Q_Key that received datagrams must have. UD. */
    QKEY(0x40, "IBV_QP_QKEY"),
    /** The address vector of the peer. RC and UC. */
    AV(0x80, "IBV_QP_AV"),
    /** The path MTU, which is the payload of a full packet. RC and UC. */
    PATH_MTU(0x100, "IBV_QP_PATH_MTU"),
    /** The time that the requester waits for an acknowledgement. RC. */
    TIMEOUT(0x200, "IBV_QP_TIMEOUT"),
    /** The maximum number of retransmissions of an unacknowledged request. RC. */
    RETRY_CNT(0x400, "IBV_QP_RETRY_CNT"),
    /** The maximum number of retransmissions after receiver-not-ready NAKs. RC. */
    RNR_RETRY(0x800, "IBV_QP_RNR_RETRY"),
    /** The first PSN that the responder expects. RC and UC. */
    RQ_PSN(0x1000, "IBV_QP_RQ_PSN"),
    /** The maximum number of READs and atomics that the requester may have outstanding. RC. */
    MAX_QP_RD_ATOMIC(0x2000, "IBV_QP_MAX_QP_RD_ATOMIC"),
    /** The alternate path for automatic path migration. RC and UC on InfiniBand. */
    ALT_PATH(0x4000, "IBV_QP_ALT_PATH"),
    /** The time that the peer must wait after an RNR NAK before it retransmits. RC. */
    MIN_RNR_TIMER(0x8000, "IBV_QP_MIN_RNR_TIMER"),
    /** The first PSN that the requester sends. */
    SQ_PSN(0x10000, "IBV_QP_SQ_PSN"),
    /** The maximum number of outstanding READs and atomics that the responder supports. RC. */
    MAX_DEST_RD_ATOMIC(0x20000, "IBV_QP_MAX_DEST_RD_ATOMIC"),
    /** The state of automatic path migration. RC and UC on InfiniBand. */
    PATH_MIG_STATE(0x40000, "IBV_QP_PATH_MIG_STATE"),
    /** The queue sizes ({@link QpCapabilities}); no known driver resizes the queues. */
    CAP(0x80000, "IBV_QP_CAP"),
    /** The QPN of the peer. RC and UC. */
    DEST_QPN(0x100000, "IBV_QP_DEST_QPN");

    private final int mask;
    private final String verbsName;

    QpAttribute(int mask, String verbsName) {
        this.mask = mask;
        this.verbsName = verbsName;
    }

    /** {@return the bit of this attribute in {@code enum ibv_qp_attr_mask}} */
    public int mask() {
        return mask;
    }

    /** {@return the name of the attribute in {@code verbs.h}, such as {@code IBV_QP_RQ_PSN}} */
    public String verbsName() {
        return verbsName;
    }

    /**
     * Encodes a set of attributes as the mask of {@code ibv_modify_qp}.
     *
     * @param attributes any of the attributes
     * @return the bitwise OR of the attributes' bits
     */
    public static int maskOf(Set<QpAttribute> attributes) {
        return BitMasks.maskOf(attributes, QpAttribute::mask);
    }

    /**
     * Decodes the mask of {@code ibv_modify_qp}.
     *
     * @param mask or-ed bits
     * @return an unmodifiable set
     * @throws IllegalArgumentException if the mask has a bit without a defined attribute
     */
    public static Set<QpAttribute> ofMask(int mask) {
        return BitMasks.ofMask("QP attribute", QpAttribute.class, QpAttribute::mask, mask);
    }
}
