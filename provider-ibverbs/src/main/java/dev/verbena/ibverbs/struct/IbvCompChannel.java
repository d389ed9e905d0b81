// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_comp_channel} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvCompChannel {
    public static final StructLayout LAYOUT =
            struct("ibv_comp_channel", pointer("context"), int32("fd"), int32("refcnt"));

    public static final long FD = offset(LAYOUT, "fd");

    private IbvCompChannel() {}
}
