// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_mr} of {@code infiniband/verbs.h}: the same in every libibverbs with symbol version IBVERBS_1.1. */
public final class IbvMr {
    /** The whole structure in the platform's alignment and byte order. */
    public static final StructLayout LAYOUT = struct(
            "ibv_mr",
            pointer("context"),
            pointer("pd"),
            pointer("addr"),
            int64("length"),
            int32("handle"),
            int32("lkey"),
            int32("rkey"));

    /** Offset of {@code addr}. */
    public static final long ADDR = offset(LAYOUT, "addr");

    /** Offset of {@code length}. */
    public static final long LENGTH = offset(LAYOUT, "length");

    /** Offset of {@code lkey}. */
    public static final long LKEY = offset(LAYOUT, "lkey");

    /** Offset of {@code rkey}. */
    public static final long RKEY = offset(LAYOUT, "rkey");

    private IbvMr() {}
}
