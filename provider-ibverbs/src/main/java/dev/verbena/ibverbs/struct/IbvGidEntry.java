// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.gid;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_gid_entry} of {@code infiniband/verbs.h}. The structure exists since IBVERBS_1.11 (rdma-core 32). */
public final class IbvGidEntry {
    public static final StructLayout LAYOUT = struct(
            "ibv_gid_entry",
            gid("gid"),
            int32("gid_index"),
            int32("port_num"),
            int32("gid_type"),
            int32("ndev_ifindex"));

    public static final long GID = offset(LAYOUT, "gid");
    public static final long GID_INDEX = offset(LAYOUT, "gid_index");
    public static final long PORT_NUM = offset(LAYOUT, "port_num");
    public static final long GID_TYPE = offset(LAYOUT, "gid_type");
    public static final long NDEV_IFINDEX = offset(LAYOUT, "ndev_ifindex");

    private IbvGidEntry() {}
}
