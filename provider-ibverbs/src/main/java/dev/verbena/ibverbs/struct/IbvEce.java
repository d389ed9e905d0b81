// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_ece} of {@code infiniband/verbs.h}, unchanged since rdma-core 31. */
public final class IbvEce {
    public static final StructLayout LAYOUT =
            struct("ibv_ece", int32("vendor_id"), int32("options"), int32("comp_mask"));

    public static final long VENDOR_ID = offset(LAYOUT, "vendor_id");
    public static final long OPTIONS = offset(LAYOUT, "options");
    public static final long COMP_MASK = offset(LAYOUT, "comp_mask");

    private IbvEce() {}
}
