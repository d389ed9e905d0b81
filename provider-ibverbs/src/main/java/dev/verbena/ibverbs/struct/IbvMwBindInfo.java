// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_mw_bind_info} of {@code infiniband/verbs.h}: since memory windows came to libibverbs 1.2. */
public final class IbvMwBindInfo {
    /** The whole structure in the platform's alignment and byte order. */
    public static final StructLayout LAYOUT =
            struct("ibv_mw_bind_info", pointer("mr"), int64("addr"), int64("length"), int32("mw_access_flags"));

    /** Offset of {@code mr}. */
    public static final long MR = offset(LAYOUT, "mr");

    /** Offset of {@code addr}. */
    public static final long ADDR = offset(LAYOUT, "addr");

    /** Offset of {@code length}. */
    public static final long LENGTH = offset(LAYOUT, "length");

    /** Offset of {@code mw_access_flags}. */
    public static final long MW_ACCESS_FLAGS = offset(LAYOUT, "mw_access_flags");

    private IbvMwBindInfo() {}
}
