// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_cq} of {@code infiniband/verbs.h}: the same in every libibverbs with symbol version IBVERBS_1.1; what follows the last member belongs to the library. */
public final class IbvCq {
    /** The known head of the structure in the platform's alignment and byte order. */
    public static final StructLayout LAYOUT = struct(
            "ibv_cq", pointer("context"), pointer("channel"), pointer("cq_context"), int32("handle"), int32("cqe"));

    /** Offset of {@code cq_context}. */
    public static final long CQ_CONTEXT = offset(LAYOUT, "cq_context");

    /** Offset of {@code cqe}. */
    public static final long CQE = offset(LAYOUT, "cqe");

    private IbvCq() {}
}
