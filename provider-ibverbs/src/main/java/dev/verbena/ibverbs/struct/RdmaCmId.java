// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_cm_id} of {@code rdma/rdma_cma.h}: the members up to qp_type since librdmacm 1.0.15; all are in every rdma-core. */
public final class RdmaCmId {
    /** The whole structure in the platform's alignment and byte order. */
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

    /** Offset of {@code verbs}. */
    public static final long VERBS = offset(LAYOUT, "verbs");

    /** Offset of {@code channel}. */
    public static final long CHANNEL = offset(LAYOUT, "channel");

    /** Offset of {@code context}. */
    public static final long CONTEXT = offset(LAYOUT, "context");

    /** Offset of {@code qp}. */
    public static final long QP = offset(LAYOUT, "qp");

    /** Offset of {@code route}. */
    public static final long ROUTE = offset(LAYOUT, "route");

    /** Offset of {@code ps}. */
    public static final long PS = offset(LAYOUT, "ps");

    /** Offset of {@code port_num}. */
    public static final long PORT_NUM = offset(LAYOUT, "port_num");

    /** Offset of {@code event}. */
    public static final long EVENT = offset(LAYOUT, "event");

    /** Offset of {@code pd}. */
    public static final long PD = offset(LAYOUT, "pd");

    private RdmaCmId() {}
}
