// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_srq_init_attr} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvSrqInitAttr {
    public static final StructLayout LAYOUT =
            struct("ibv_srq_init_attr", pointer("srq_context"), IbvSrqAttr.LAYOUT.withName("attr"));

    public static final long ATTR = offset(LAYOUT, "attr");

    private IbvSrqInitAttr() {}
}
