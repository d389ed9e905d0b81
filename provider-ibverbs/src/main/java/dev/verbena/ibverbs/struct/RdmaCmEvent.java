// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;
import static dev.verbena.ibverbs.struct.CLayout.union;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_cm_event} of {@code rdma/rdma_cma.h}, unchanged since symbol version RDMACM_1.0. */
public final class RdmaCmEvent {
    public static final StructLayout LAYOUT = struct(
            "rdma_cm_event",
            pointer("id"),
            pointer("listen_id"),
            int32("event"),
            int32("status"),
            union("param", RdmaConnParam.LAYOUT.withName("conn"), RdmaUdParam.LAYOUT.withName("ud")));

    public static final long ID = offset(LAYOUT, "id");
    public static final long LISTEN_ID = offset(LAYOUT, "listen_id");
    public static final long EVENT = offset(LAYOUT, "event");
    public static final long STATUS = offset(LAYOUT, "status");
    public static final long PARAM = offset(LAYOUT, "param");

    private RdmaCmEvent() {}
}
