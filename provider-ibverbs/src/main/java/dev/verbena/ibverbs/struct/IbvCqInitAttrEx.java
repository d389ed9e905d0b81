// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_cq_init_attr_ex} of {@code infiniband/verbs.h}. A user-space driver reads {@code flags} and {@code
 * parent_domain} only if their bits are set in {@code comp_mask}.
 */
public final class IbvCqInitAttrEx {
    /** The layout of the structure in rdma-core 19 and later. */
    public static final StructLayout LAYOUT = struct(
            "ibv_cq_init_attr_ex",
            int32("cqe"),
            pointer("cq_context"),
            pointer("channel"),
            int32("comp_vector"),
            int64("wc_flags"),
            int32("comp_mask"),
            int32("flags"),
            pointer("parent_domain"));

    public static final long CQE = offset(LAYOUT, "cqe");
    public static final long CHANNEL = offset(LAYOUT, "channel");
    public static final long COMP_VECTOR = offset(LAYOUT, "comp_vector");
    public static final long WC_FLAGS = offset(LAYOUT, "wc_flags");

    /** {@code IBV_WC_STANDARD_FLAGS}, which requests all members of {@code struct ibv_wc} except the P_Key index. */
    public static final long STANDARD_FLAGS = 0x7F;

    /** {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP}. */
    public static final long WITH_COMPLETION_TIMESTAMP = 1 << 7;

    private IbvCqInitAttrEx() {}
}
