// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_srq_attr} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvSrqAttr {
    public static final StructLayout LAYOUT =
            struct("ibv_srq_attr", int32("max_wr"), int32("max_sge"), int32("srq_limit"));

    public static final long MAX_WR = offset(LAYOUT, "max_wr");
    public static final long MAX_SGE = offset(LAYOUT, "max_sge");
    public static final long SRQ_LIMIT = offset(LAYOUT, "srq_limit");

    /** {@code enum ibv_srq_attr_mask}. */
    public static final int CHANGES_MAX_WR = 1;

    public static final int CHANGES_LIMIT = 2;

    private IbvSrqAttr() {}
}
