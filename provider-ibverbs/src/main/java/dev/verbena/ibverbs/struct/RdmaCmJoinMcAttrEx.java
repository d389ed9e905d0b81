// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_cm_join_mc_attr_ex} of {@code rdma/rdma_cma.h}, unchanged since symbol version RDMACM_1.1. */
public final class RdmaCmJoinMcAttrEx {
    public static final StructLayout LAYOUT =
            struct("rdma_cm_join_mc_attr_ex", int32("comp_mask"), int32("join_flags"), pointer("addr"));

    /** {@code RDMA_CM_JOIN_MC_ATTR_ADDRESS | RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS} for {@link #COMP_MASK}. */
    public static final int ADDRESS_AND_FLAGS = 3;

    public static final long COMP_MASK = offset(LAYOUT, "comp_mask");

    /** Offset of {@code join_flags}, a value of {@code enum rdma_cm_mc_join_flags}. */
    public static final long JOIN_FLAGS = offset(LAYOUT, "join_flags");

    public static final long ADDR = offset(LAYOUT, "addr");

    private RdmaCmJoinMcAttrEx() {}
}
