// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;
import static dev.verbena.ibverbs.struct.CLayout.union;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_async_event} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvAsyncEvent {
    public static final StructLayout LAYOUT = struct(
            "ibv_async_event",
            union("element", pointer("cq"), pointer("qp"), pointer("srq"), int32("port_num")),
            int32("event_type"));

    public static final long ELEMENT = offset(LAYOUT, "element");
    public static final long EVENT_TYPE = offset(LAYOUT, "event_type");

    private IbvAsyncEvent() {}
}
