// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_mw} of {@code infiniband/verbs.h}. The structure exists since libibverbs 1.2. */
public final class IbvMw {
    public static final StructLayout LAYOUT =
            struct("ibv_mw", pointer("context"), pointer("pd"), int32("rkey"), int32("handle"), int32("type"));

    public static final long RKEY = offset(LAYOUT, "rkey");
    public static final long TYPE = offset(LAYOUT, "type");

    private IbvMw() {}
}
