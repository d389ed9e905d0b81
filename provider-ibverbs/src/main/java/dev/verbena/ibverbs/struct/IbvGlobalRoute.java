// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.gid;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_global_route} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvGlobalRoute {
    public static final StructLayout LAYOUT = struct(
            "ibv_global_route",
            gid("dgid"),
            int32("flow_label"),
            int8("sgid_index"),
            int8("hop_limit"),
            int8("traffic_class"));

    public static final long DGID = offset(LAYOUT, "dgid");
    public static final long FLOW_LABEL = offset(LAYOUT, "flow_label");
    public static final long SGID_INDEX = offset(LAYOUT, "sgid_index");
    public static final long HOP_LIMIT = offset(LAYOUT, "hop_limit");
    public static final long TRAFFIC_CLASS = offset(LAYOUT, "traffic_class");

    private IbvGlobalRoute() {}
}
