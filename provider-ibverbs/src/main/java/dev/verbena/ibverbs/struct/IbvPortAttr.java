// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_port_attr} of {@code infiniband/verbs.h}; {@code active_speed_ex} exists since rdma-core 49. */
public final class IbvPortAttr {
    public static final StructLayout LAYOUT = struct(
            "ibv_port_attr",
            int32("state"),
            int32("max_mtu"),
            int32("active_mtu"),
            int32("gid_tbl_len"),
            int32("port_cap_flags"),
            int32("max_msg_sz"),
            int32("bad_pkey_cntr"),
            int32("qkey_viol_cntr"),
            int16("pkey_tbl_len"),
            int16("lid"),
            int16("sm_lid"),
            int8("lmc"),
            int8("max_vl_num"),
            int8("sm_sl"),
            int8("subnet_timeout"),
            int8("init_type_reply"),
            int8("active_width"),
            int8("active_speed"),
            int8("phys_state"),
            int8("link_layer"),
            int8("flags"),
            int16("port_cap_flags2"),
            int32("active_speed_ex"));

    public static final long STATE = offset(LAYOUT, "state");
    public static final long MAX_MTU = offset(LAYOUT, "max_mtu");
    public static final long ACTIVE_MTU = offset(LAYOUT, "active_mtu");
    public static final long GID_TBL_LEN = offset(LAYOUT, "gid_tbl_len");
    public static final long FLAGS = offset(LAYOUT, "flags");
    public static final long PORT_CAP_FLAGS = offset(LAYOUT, "port_cap_flags");
    public static final long MAX_MSG_SZ = offset(LAYOUT, "max_msg_sz");
    public static final long BAD_PKEY_CNTR = offset(LAYOUT, "bad_pkey_cntr");
    public static final long QKEY_VIOL_CNTR = offset(LAYOUT, "qkey_viol_cntr");
    public static final long PKEY_TBL_LEN = offset(LAYOUT, "pkey_tbl_len");
    public static final long LID = offset(LAYOUT, "lid");
    public static final long SM_LID = offset(LAYOUT, "sm_lid");
    public static final long LMC = offset(LAYOUT, "lmc");
    public static final long SM_SL = offset(LAYOUT, "sm_sl");
    public static final long SUBNET_TIMEOUT = offset(LAYOUT, "subnet_timeout");
    public static final long ACTIVE_WIDTH = offset(LAYOUT, "active_width");
    public static final long ACTIVE_SPEED = offset(LAYOUT, "active_speed");
    public static final long PHYS_STATE = offset(LAYOUT, "phys_state");
    public static final long LINK_LAYER = offset(LAYOUT, "link_layer");

    /** Offset of {@code active_speed_ex}. Libraries before rdma-core 49 do not write this member, so that it stays 0. */
    public static final long ACTIVE_SPEED_EX = offset(LAYOUT, "active_speed_ex");

    private IbvPortAttr() {}
}
