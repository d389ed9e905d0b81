// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_mr} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvMr {
    public static final StructLayout LAYOUT = struct(
            "ibv_mr",
            pointer("context"),
            pointer("pd"),
            pointer("addr"),
            int64("length"),
            int32("handle"),
            int32("lkey"),
            int32("rkey"));

    public static final long ADDR = offset(LAYOUT, "addr");
    public static final long LENGTH = offset(LAYOUT, "length");
    public static final long LKEY = offset(LAYOUT, "lkey");
    public static final long RKEY = offset(LAYOUT, "rkey");

    private IbvMr() {}
}
