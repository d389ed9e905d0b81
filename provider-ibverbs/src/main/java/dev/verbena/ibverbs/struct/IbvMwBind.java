// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_mw_bind} of {@code infiniband/verbs.h}. The structure exists since libibverbs 1.2. */
public final class IbvMwBind {
    public static final StructLayout LAYOUT =
            struct("ibv_mw_bind", int64("wr_id"), int32("send_flags"), IbvMwBindInfo.LAYOUT.withName("bind_info"));

    public static final long WR_ID = offset(LAYOUT, "wr_id");
    public static final long SEND_FLAGS = offset(LAYOUT, "send_flags");
    public static final long BIND_INFO = offset(LAYOUT, "bind_info");

    private IbvMwBind() {}
}
