// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_pd} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvPd {
    public static final StructLayout LAYOUT = struct("ibv_pd", pointer("context"), int32("handle"));

    public static final long HANDLE = offset(LAYOUT, "handle");

    private IbvPd() {}
}
