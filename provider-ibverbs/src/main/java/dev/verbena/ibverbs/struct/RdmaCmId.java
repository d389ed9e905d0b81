// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_cm_id} of {@code rdma/rdma_cma.h}. All releases of rdma-core have the members listed here. */
public final class RdmaCmId {
    public static final StructLayout LAYOUT = struct(
            "rdma_cm_id",
            pointer("verbs"),
            pointer("channel"),
            pointer("context"),
            pointer("qp"),
            RdmaRoute.LAYOUT.withName("route"),
            int32("ps"),
            int8("port_num"),
            pointer("event"),
            pointer("send_cq_channel"),
            pointer("send_cq"),
            pointer("recv_cq_channel"),
            pointer("recv_cq"),
            pointer("srq"),
            pointer("pd"),
            int32("qp_type"));

    public static final long VERBS = offset(LAYOUT, "verbs");
    public static final long CHANNEL = offset(LAYOUT, "channel");
    public static final long CONTEXT = offset(LAYOUT, "context");
    public static final long QP = offset(LAYOUT, "qp");
    public static final long ROUTE = offset(LAYOUT, "route");
    public static final long PS = offset(LAYOUT, "ps");
    public static final long PORT_NUM = offset(LAYOUT, "port_num");
    public static final long EVENT = offset(LAYOUT, "event");
    public static final long PD = offset(LAYOUT, "pd");

    private RdmaCmId() {}
}
