// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** The public members of {@code struct ibv_cq} in {@code infiniband/verbs.h}, unchanged since IBVERBS_1.1. */
public final class IbvCq {
    public static final StructLayout LAYOUT = struct(
            "ibv_cq", pointer("context"), pointer("channel"), pointer("cq_context"), int32("handle"), int32("cqe"));

    public static final long CQ_CONTEXT = offset(LAYOUT, "cq_context");
    public static final long CQE = offset(LAYOUT, "cqe");

    private IbvCq() {}
}
