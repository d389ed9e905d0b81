// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * The attributes that a modify of a queue pair can set ({@code enum ibv_qp_attr_mask}, {@code ibv_modify_qp}(3)). Each
 * transition demands some and allows some; any other is refused with {@link Errno#EINVAL}.
 *
 * @since 1.0
 */
public enum QpAttribute {
    /** The state to go to. */
    STATE(1, "IBV_QP_STATE"),
    /**
     * The state that the caller assumes: RTR, RTS, SQD or SQE. If the queue pair is in another state, for example
     * because an error moved it to SQE, the modify is refused and changes nothing.
     */
    CUR_STATE(2, "IBV_QP_CUR_STATE"),
    /** Whether {@link AsyncEventType#SQ_DRAINED} is to be raised. */
    EN_SQD_ASYNC_NOTIFY(4, "IBV_QP_EN_SQD_ASYNC_NOTIFY"),
    /** The rights of the peer. RC and UC. */
    ACCESS_FLAGS(8, "IBV_QP_ACCESS_FLAGS"),
    /** Index into the P_Key table of the port. */
    PKEY_INDEX(0x10, "IBV_QP_PKEY_INDEX"),
    /** The port, counted from 1. */
    PORT(0x20, "IBV_QP_PORT"),
    /** The key that datagrams must carry. UD. */
    QKEY(0x40, "IBV_QP_QKEY"),
    /** The path to the peer. RC and UC. */
    AV(0x80, "IBV_QP_AV"),
    /** Payload of a full packet. RC and UC. */
    PATH_MTU(0x100, "IBV_QP_PATH_MTU"),
    /** How long to wait for an acknowledgement. RC. */
    TIMEOUT(0x200, "IBV_QP_TIMEOUT"),
    /** How often to send again without acknowledgement. RC. */
    RETRY_CNT(0x400, "IBV_QP_RETRY_CNT"),
    /** How often to try again when the receiver is not ready. RC. */
    RNR_RETRY(0x800, "IBV_QP_RNR_RETRY"),
    /** The first sequence number to expect. RC and UC. */
    RQ_PSN(0x1000, "IBV_QP_RQ_PSN"),
    /** READs and atomics outstanding as requester. RC. */
    MAX_QP_RD_ATOMIC(0x2000, "IBV_QP_MAX_QP_RD_ATOMIC"),
    /** The path to migrate to. RC and UC on InfiniBand. */
    ALT_PATH(0x4000, "IBV_QP_ALT_PATH"),
    /** How long peers must wait when no receive is posted. RC. */
    MIN_RNR_TIMER(0x8000, "IBV_QP_MIN_RNR_TIMER"),
    /** The first sequence number to send. */
    SQ_PSN(0x10000, "IBV_QP_SQ_PSN"),
    /** READs and atomics served at once as responder. RC. */
    MAX_DEST_RD_ATOMIC(0x20000, "IBV_QP_MAX_DEST_RD_ATOMIC"),
    /** Automatic path migration. RC and UC on InfiniBand. */
    PATH_MIG_STATE(0x40000, "IBV_QP_PATH_MIG_STATE"),
    /** Sizes of the queues; no known driver resizes them. */
    CAP(0x80000, "IBV_QP_CAP"),
    /** QP number of the peer. RC and UC. */
    DEST_QPN(0x100000, "IBV_QP_DEST_QPN");

    private final int mask;
    private final String verbsName;

    QpAttribute(int mask, String verbsName) {
        this.mask = mask;
        this.verbsName = verbsName;
    }

    /**
     * The bit of {@code enum ibv_qp_attr_mask}.
     *
     * @return one bit
     */
    public int mask() {
        return mask;
    }

    /**
     * The name in {@code verbs.h}.
     *
     * @return for example {@code IBV_QP_RQ_PSN}
     */
    public String verbsName() {
        return verbsName;
    }

    /**
     * The modify mask of a set.
     *
     * @param attributes any of the attributes
     * @return their bits, or-ed
     */
    public static int maskOf(Set<QpAttribute> attributes) {
        return BitMasks.maskOf(attributes, QpAttribute::mask);
    }

    /**
     * The attributes of a modify mask.
     *
     * @param mask or-ed bits
     * @return an unmodifiable set
     * @throws IllegalArgumentException if a bit has no attribute
     */
    public static Set<QpAttribute> ofMask(int mask) {
        return BitMasks.ofMask("QP attribute", QpAttribute.class, QpAttribute::mask, mask);
    }
}
