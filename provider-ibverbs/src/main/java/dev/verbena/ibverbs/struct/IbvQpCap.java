// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_qp_cap} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvQpCap {
    public static final StructLayout LAYOUT = struct(
            "ibv_qp_cap",
            int32("max_send_wr"),
            int32("max_recv_wr"),
            int32("max_send_sge"),
            int32("max_recv_sge"),
            int32("max_inline_data"));

    public static final long MAX_SEND_WR = offset(LAYOUT, "max_send_wr");
    public static final long MAX_RECV_WR = offset(LAYOUT, "max_recv_wr");
    public static final long MAX_SEND_SGE = offset(LAYOUT, "max_send_sge");
    public static final long MAX_RECV_SGE = offset(LAYOUT, "max_recv_sge");
    public static final long MAX_INLINE_DATA = offset(LAYOUT, "max_inline_data");

    private IbvQpCap() {}
}
