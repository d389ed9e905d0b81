// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** The public members of {@code struct ibv_qp} in {@code infiniband/verbs.h}, unchanged since IBVERBS_1.1. */
public final class IbvQp {
    public static final StructLayout LAYOUT = struct(
            "ibv_qp",
            pointer("context"),
            pointer("qp_context"),
            pointer("pd"),
            pointer("send_cq"),
            pointer("recv_cq"),
            pointer("srq"),
            int32("handle"),
            int32("qp_num"),
            int32("state"),
            int32("qp_type"));

    public static final long QP_NUM = offset(LAYOUT, "qp_num");

    private IbvQp() {}
}
