// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_qp_attr} of {@code infiniband/verbs.h}: rate_limit since rdma-core 12; it is the last field, and
 * older libraries ignore it.
 */
public final class IbvQpAttr {
    /** The whole structure in the platform's alignment and byte order. */
    public static final StructLayout LAYOUT = struct(
            "ibv_qp_attr",
            int32("qp_state"),
            int32("cur_qp_state"),
            int32("path_mtu"),
            int32("path_mig_state"),
            int32("qkey"),
            int32("rq_psn"),
            int32("sq_psn"),
            int32("dest_qp_num"),
            int32("qp_access_flags"),
            IbvQpCap.LAYOUT.withName("cap"),
            IbvAhAttr.LAYOUT.withName("ah_attr"),
            IbvAhAttr.LAYOUT.withName("alt_ah_attr"),
            int16("pkey_index"),
            int16("alt_pkey_index"),
            int8("en_sqd_async_notify"),
            int8("sq_draining"),
            int8("max_rd_atomic"),
            int8("max_dest_rd_atomic"),
            int8("min_rnr_timer"),
            int8("port_num"),
            int8("timeout"),
            int8("retry_cnt"),
            int8("rnr_retry"),
            int8("alt_port_num"),
            int8("alt_timeout"),
            int32("rate_limit"));

    /** Offset of {@code qp_state}. */
    public static final long QP_STATE = offset(LAYOUT, "qp_state");

    /** Offset of {@code cur_qp_state}. */
    public static final long CUR_QP_STATE = offset(LAYOUT, "cur_qp_state");

    /** Offset of {@code path_mtu}. */
    public static final long PATH_MTU = offset(LAYOUT, "path_mtu");

    /** Offset of {@code path_mig_state}. */
    public static final long PATH_MIG_STATE = offset(LAYOUT, "path_mig_state");

    /** Offset of {@code qkey}. */
    public static final long QKEY = offset(LAYOUT, "qkey");

    /** Offset of {@code rq_psn}. */
    public static final long RQ_PSN = offset(LAYOUT, "rq_psn");

    /** Offset of {@code sq_psn}. */
    public static final long SQ_PSN = offset(LAYOUT, "sq_psn");

    /** Offset of {@code dest_qp_num}. */
    public static final long DEST_QP_NUM = offset(LAYOUT, "dest_qp_num");

    /** Offset of {@code qp_access_flags}. */
    public static final long QP_ACCESS_FLAGS = offset(LAYOUT, "qp_access_flags");

    /** Offset of {@code cap}. */
    public static final long CAP = offset(LAYOUT, "cap");

    /** Offset of {@code ah_attr}. */
    public static final long AH_ATTR = offset(LAYOUT, "ah_attr");

    /** Offset of {@code alt_ah_attr}. */
    public static final long ALT_AH_ATTR = offset(LAYOUT, "alt_ah_attr");

    /** Offset of {@code pkey_index}. */
    public static final long PKEY_INDEX = offset(LAYOUT, "pkey_index");

    /** Offset of {@code alt_pkey_index}. */
    public static final long ALT_PKEY_INDEX = offset(LAYOUT, "alt_pkey_index");

    /** Offset of {@code en_sqd_async_notify}. */
    public static final long EN_SQD_ASYNC_NOTIFY = offset(LAYOUT, "en_sqd_async_notify");

    /** Offset of {@code sq_draining}. */
    public static final long SQ_DRAINING = offset(LAYOUT, "sq_draining");

    /** Offset of {@code max_rd_atomic}. */
    public static final long MAX_RD_ATOMIC = offset(LAYOUT, "max_rd_atomic");

    /** Offset of {@code max_dest_rd_atomic}. */
    public static final long MAX_DEST_RD_ATOMIC = offset(LAYOUT, "max_dest_rd_atomic");

    /** Offset of {@code min_rnr_timer}. */
    public static final long MIN_RNR_TIMER = offset(LAYOUT, "min_rnr_timer");

    /** Offset of {@code port_num}. */
    public static final long PORT_NUM = offset(LAYOUT, "port_num");

    /** Offset of {@code timeout}. */
    public static final long TIMEOUT = offset(LAYOUT, "timeout");

    /** Offset of {@code retry_cnt}. */
    public static final long RETRY_CNT = offset(LAYOUT, "retry_cnt");

    /** Offset of {@code rnr_retry}. */
    public static final long RNR_RETRY = offset(LAYOUT, "rnr_retry");

    /** Offset of {@code alt_port_num}. */
    public static final long ALT_PORT_NUM = offset(LAYOUT, "alt_port_num");

    /** Offset of {@code alt_timeout}. */
    public static final long ALT_TIMEOUT = offset(LAYOUT, "alt_timeout");

    private IbvQpAttr() {}
}
