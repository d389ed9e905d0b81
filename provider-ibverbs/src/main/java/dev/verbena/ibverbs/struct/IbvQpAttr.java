// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_qp_attr} of {@code infiniband/verbs.h}. The last member, {@code rate_limit}, exists since rdma-core
 * 12; older libraries ignore it.
 */
public final class IbvQpAttr {
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

    public static final long QP_STATE = offset(LAYOUT, "qp_state");
    public static final long CUR_QP_STATE = offset(LAYOUT, "cur_qp_state");
    public static final long PATH_MTU = offset(LAYOUT, "path_mtu");
    public static final long PATH_MIG_STATE = offset(LAYOUT, "path_mig_state");
    public static final long QKEY = offset(LAYOUT, "qkey");
    public static final long RQ_PSN = offset(LAYOUT, "rq_psn");
    public static final long SQ_PSN = offset(LAYOUT, "sq_psn");
    public static final long DEST_QP_NUM = offset(LAYOUT, "dest_qp_num");
    public static final long QP_ACCESS_FLAGS = offset(LAYOUT, "qp_access_flags");
    public static final long CAP = offset(LAYOUT, "cap");
    public static final long AH_ATTR = offset(LAYOUT, "ah_attr");
    public static final long ALT_AH_ATTR = offset(LAYOUT, "alt_ah_attr");
    public static final long PKEY_INDEX = offset(LAYOUT, "pkey_index");
    public static final long ALT_PKEY_INDEX = offset(LAYOUT, "alt_pkey_index");
    public static final long EN_SQD_ASYNC_NOTIFY = offset(LAYOUT, "en_sqd_async_notify");
    public static final long SQ_DRAINING = offset(LAYOUT, "sq_draining");
    public static final long MAX_RD_ATOMIC = offset(LAYOUT, "max_rd_atomic");
    public static final long MAX_DEST_RD_ATOMIC = offset(LAYOUT, "max_dest_rd_atomic");
    public static final long MIN_RNR_TIMER = offset(LAYOUT, "min_rnr_timer");
    public static final long PORT_NUM = offset(LAYOUT, "port_num");
    public static final long TIMEOUT = offset(LAYOUT, "timeout");
    public static final long RETRY_CNT = offset(LAYOUT, "retry_cnt");
    public static final long RNR_RETRY = offset(LAYOUT, "rnr_retry");
    public static final long ALT_PORT_NUM = offset(LAYOUT, "alt_port_num");
    public static final long ALT_TIMEOUT = offset(LAYOUT, "alt_timeout");

    private IbvQpAttr() {}
}
