// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_qp_init_attr} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvQpInitAttr {
    public static final StructLayout LAYOUT = struct(
            "ibv_qp_init_attr",
            pointer("qp_context"),
            pointer("send_cq"),
            pointer("recv_cq"),
            pointer("srq"),
            IbvQpCap.LAYOUT.withName("cap"),
            int32("qp_type"),
            int32("sq_sig_all"));

    public static final long QP_CONTEXT = offset(LAYOUT, "qp_context");
    public static final long SEND_CQ = offset(LAYOUT, "send_cq");
    public static final long RECV_CQ = offset(LAYOUT, "recv_cq");
    public static final long SRQ = offset(LAYOUT, "srq");
    public static final long CAP = offset(LAYOUT, "cap");
    public static final long QP_TYPE = offset(LAYOUT, "qp_type");
    public static final long SQ_SIG_ALL = offset(LAYOUT, "sq_sig_all");

    private IbvQpInitAttr() {}
}
