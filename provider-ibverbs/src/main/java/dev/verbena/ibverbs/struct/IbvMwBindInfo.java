// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_mw_bind_info} of {@code infiniband/verbs.h}. The structure exists since libibverbs 1.2. */
public final class IbvMwBindInfo {
    public static final StructLayout LAYOUT =
            struct("ibv_mw_bind_info", pointer("mr"), int64("addr"), int64("length"), int32("mw_access_flags"));

    public static final long MR = offset(LAYOUT, "mr");
    public static final long ADDR = offset(LAYOUT, "addr");
    public static final long LENGTH = offset(LAYOUT, "length");
    public static final long MW_ACCESS_FLAGS = offset(LAYOUT, "mw_access_flags");

    private IbvMwBindInfo() {}
}
