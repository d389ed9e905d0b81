// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.bytes;
import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_device_attr} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvDeviceAttr {
    public static final StructLayout LAYOUT = struct(
            "ibv_device_attr",
            bytes("fw_ver", 64),
            int64("node_guid"),
            int64("sys_image_guid"),
            int64("max_mr_size"),
            int64("page_size_cap"),
            int32("vendor_id"),
            int32("vendor_part_id"),
            int32("hw_ver"),
            int32("max_qp"),
            int32("max_qp_wr"),
            int32("device_cap_flags"),
            int32("max_sge"),
            int32("max_sge_rd"),
            int32("max_cq"),
            int32("max_cqe"),
            int32("max_mr"),
            int32("max_pd"),
            int32("max_qp_rd_atom"),
            int32("max_ee_rd_atom"),
            int32("max_res_rd_atom"),
            int32("max_qp_init_rd_atom"),
            int32("max_ee_init_rd_atom"),
            int32("atomic_cap"),
            int32("max_ee"),
            int32("max_rdd"),
            int32("max_mw"),
            int32("max_raw_ipv6_qp"),
            int32("max_raw_ethy_qp"),
            int32("max_mcast_grp"),
            int32("max_mcast_qp_attach"),
            int32("max_total_mcast_qp_attach"),
            int32("max_ah"),
            int32("max_fmr"),
            int32("max_map_per_fmr"),
            int32("max_srq"),
            int32("max_srq_wr"),
            int32("max_srq_sge"),
            int16("max_pkeys"),
            int8("local_ca_ack_delay"),
            int8("phys_port_cnt"));

    public static final long FW_VER = offset(LAYOUT, "fw_ver");
    public static final long NODE_GUID = offset(LAYOUT, "node_guid");
    public static final long SYS_IMAGE_GUID = offset(LAYOUT, "sys_image_guid");
    public static final long MAX_MR_SIZE = offset(LAYOUT, "max_mr_size");
    public static final long PAGE_SIZE_CAP = offset(LAYOUT, "page_size_cap");
    public static final long VENDOR_ID = offset(LAYOUT, "vendor_id");
    public static final long VENDOR_PART_ID = offset(LAYOUT, "vendor_part_id");
    public static final long HW_VER = offset(LAYOUT, "hw_ver");
    public static final long MAX_QP = offset(LAYOUT, "max_qp");
    public static final long MAX_QP_WR = offset(LAYOUT, "max_qp_wr");
    public static final long DEVICE_CAP_FLAGS = offset(LAYOUT, "device_cap_flags");
    public static final long MAX_SGE = offset(LAYOUT, "max_sge");
    public static final long MAX_SGE_RD = offset(LAYOUT, "max_sge_rd");
    public static final long MAX_CQ = offset(LAYOUT, "max_cq");
    public static final long MAX_CQE = offset(LAYOUT, "max_cqe");
    public static final long MAX_MR = offset(LAYOUT, "max_mr");
    public static final long MAX_PD = offset(LAYOUT, "max_pd");
    public static final long MAX_QP_RD_ATOM = offset(LAYOUT, "max_qp_rd_atom");
    public static final long MAX_RES_RD_ATOM = offset(LAYOUT, "max_res_rd_atom");
    public static final long MAX_QP_INIT_RD_ATOM = offset(LAYOUT, "max_qp_init_rd_atom");
    public static final long ATOMIC_CAP = offset(LAYOUT, "atomic_cap");
    public static final long MAX_MW = offset(LAYOUT, "max_mw");
    public static final long MAX_MCAST_GRP = offset(LAYOUT, "max_mcast_grp");
    public static final long MAX_MCAST_QP_ATTACH = offset(LAYOUT, "max_mcast_qp_attach");
    public static final long MAX_TOTAL_MCAST_QP_ATTACH = offset(LAYOUT, "max_total_mcast_qp_attach");
    public static final long MAX_AH = offset(LAYOUT, "max_ah");
    public static final long MAX_SRQ = offset(LAYOUT, "max_srq");
    public static final long MAX_SRQ_WR = offset(LAYOUT, "max_srq_wr");
    public static final long MAX_SRQ_SGE = offset(LAYOUT, "max_srq_sge");
    public static final long MAX_PKEYS = offset(LAYOUT, "max_pkeys");
    public static final long LOCAL_CA_ACK_DELAY = offset(LAYOUT, "local_ca_ack_delay");
    public static final long PHYS_PORT_CNT = offset(LAYOUT, "phys_port_cnt");

    private IbvDeviceAttr() {}
}
