// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.extending;
import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_qp_init_attr_ex} of {@code infiniband/verbs.h}. The structure extends {@link IbvQpInitAttr}. */
public final class IbvQpInitAttrEx {
    /** The layout of the structure in rdma-core 24 and later. */
    public static final StructLayout LAYOUT = extending(
            IbvQpInitAttr.LAYOUT,
            "ibv_qp_init_attr_ex",
            int32("comp_mask"),
            pointer("pd"),
            pointer("xrcd"),
            int32("create_flags"),
            int16("max_tso_header"),
            pointer("rwq_ind_tbl"),
            struct(
                            "ibv_rx_hash_conf",
                            int8("rx_hash_function"),
                            int8("rx_hash_key_len"),
                            pointer("rx_hash_key"),
                            int64("rx_hash_fields_mask"))
                    .withName("rx_hash_conf"),
            int32("source_qpn"),
            int64("send_ops_flags"));

    public static final long COMP_MASK = offset(LAYOUT, "comp_mask");
    public static final long PD = offset(LAYOUT, "pd");
    public static final long SEND_OPS_FLAGS = offset(LAYOUT, "send_ops_flags");

    /** {@code IBV_QP_INIT_ATTR_PD}. */
    public static final int WITH_PD = 1;

    /** {@code IBV_QP_INIT_ATTR_SEND_OPS_FLAGS}. */
    public static final int WITH_SEND_OPS_FLAGS = 1 << 6;

    /** {@code IBV_QP_EX_WITH_FLUSH}. */
    public static final long FLUSH = 1 << 11;

    /** {@code IBV_QP_EX_WITH_ATOMIC_WRITE}. */
    public static final long ATOMIC_WRITE = 1 << 12;

    private IbvQpInitAttrEx() {}
}
