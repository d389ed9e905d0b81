// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_device_attr_ex} of {@code infiniband/verbs.h} in rdma-core 32. The caller passes the size of its
 * structure, and libibverbs fills at most this number of bytes.
 */
public final class IbvDeviceAttrEx {
    public static final StructLayout LAYOUT = struct(
            "ibv_device_attr_ex",
            IbvDeviceAttr.LAYOUT.withName("orig_attr"),
            int32("comp_mask"),
            struct(
                            "ibv_odp_caps",
                            int64("general_caps"),
                            struct("per_transport", int32("rc_odp_caps"), int32("uc_odp_caps"), int32("ud_odp_caps"))
                                    .withName("per_transport_caps"))
                    .withName("odp_caps"),
            int64("completion_timestamp_mask"),
            int64("hca_core_clock"),
            int64("device_cap_flags_ex"),
            struct("ibv_tso_caps", int32("max_tso"), int32("supported_qpts")).withName("tso_caps"),
            struct(
                            "ibv_rss_caps",
                            int32("supported_qpts"),
                            int32("max_rwq_indirection_tables"),
                            int32("max_rwq_indirection_table_size"),
                            int64("rx_hash_fields_mask"),
                            int8("rx_hash_function"))
                    .withName("rss_caps"),
            int32("max_wq_type_rq"),
            struct(
                            "ibv_packet_pacing_caps",
                            int32("qp_rate_limit_min"),
                            int32("qp_rate_limit_max"),
                            int32("supported_qpts"))
                    .withName("packet_pacing_caps"),
            int32("raw_packet_caps"),
            struct(
                            "ibv_tm_caps",
                            int32("max_rndv_hdr_size"),
                            int32("max_num_tags"),
                            int32("flags"),
                            int32("max_ops"),
                            int32("max_sge"))
                    .withName("tm_caps"),
            struct("ibv_cq_moderation_caps", int16("max_cq_count"), int16("max_cq_period"))
                    .withName("cq_mod_caps"),
            int64("max_dm_size"),
            struct("ibv_pci_atomic_caps", int16("fetch_add"), int16("swap"), int16("compare_swap"))
                    .withName("pci_atomic_caps"),
            int32("xrc_odp_caps"),
            int32("phys_port_cnt_ex"));

    public static final long COMPLETION_TIMESTAMP_MASK = offset(LAYOUT, "completion_timestamp_mask");

    /** Offset of {@code hca_core_clock}, in kHz. */
    public static final long HCA_CORE_CLOCK = offset(LAYOUT, "hca_core_clock");

    public static final long MAX_CQ_COUNT = offset(LAYOUT, "cq_mod_caps", "max_cq_count");

    /** Offset of {@code cq_mod_caps.max_cq_period}, in microseconds. */
    public static final long MAX_CQ_PERIOD = offset(LAYOUT, "cq_mod_caps", "max_cq_period");

    /** Offset of {@code device_cap_flags_ex}: {@code enum ib_uverbs_device_cap_flags}. */
    public static final long DEVICE_CAP_FLAGS_EX = offset(LAYOUT, "device_cap_flags_ex");

    /** Offset of {@code odp_caps.general_caps}: {@code enum ibv_odp_general_caps}. */
    public static final long ODP_GENERAL_CAPS = offset(LAYOUT, "odp_caps", "general_caps");

    public static final long RC_ODP_CAPS = offset(LAYOUT, "odp_caps", "per_transport_caps", "rc_odp_caps");
    public static final long UC_ODP_CAPS = offset(LAYOUT, "odp_caps", "per_transport_caps", "uc_odp_caps");
    public static final long UD_ODP_CAPS = offset(LAYOUT, "odp_caps", "per_transport_caps", "ud_odp_caps");
    public static final long XRC_ODP_CAPS = offset(LAYOUT, "xrc_odp_caps");

    private IbvDeviceAttrEx() {}
}
