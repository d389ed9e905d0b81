// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_modify_cq_attr} of {@code infiniband/verbs.h}, unchanged since rdma-core 16. */
public final class IbvModifyCqAttr {
    public static final StructLayout LAYOUT = struct(
            "ibv_modify_cq_attr",
            int32("attr_mask"),
            struct("ibv_moderate_cq", int16("cq_count"), int16("cq_period")).withName("moderate"));

    public static final long ATTR_MASK = offset(LAYOUT, "attr_mask");
    public static final long CQ_COUNT = offset(LAYOUT, "moderate", "cq_count");

    /** Offset of {@code moderate.cq_period}, in microseconds. */
    public static final long CQ_PERIOD = offset(LAYOUT, "moderate", "cq_period");

    /** {@code IBV_CQ_ATTR_MODERATE}. */
    public static final int MODERATE = 1;

    private IbvModifyCqAttr() {}
}
