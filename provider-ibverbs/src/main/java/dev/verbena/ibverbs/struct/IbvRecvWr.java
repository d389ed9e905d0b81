// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_recv_wr} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvRecvWr {
    public static final StructLayout LAYOUT =
            struct("ibv_recv_wr", int64("wr_id"), pointer("next"), pointer("sg_list"), int32("num_sge"));

    public static final long WR_ID = offset(LAYOUT, "wr_id");
    public static final long NEXT = offset(LAYOUT, "next");
    public static final long SG_LIST = offset(LAYOUT, "sg_list");
    public static final long NUM_SGE = offset(LAYOUT, "num_sge");

    private IbvRecvWr() {}
}
