// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.condition;
import static dev.verbena.ibverbs.struct.CLayout.extending;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.mutex;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_qp_ex} of {@code infiniband/verbs.h}. Newer releases append members. An opcode's function pointer is
 * valid only if the queue pair was created with the opcode's flag in {@code send_ops_flags}.
 */
public final class IbvQpEx {
    /** The structure in rdma-core 44. */
    public static final StructLayout LAYOUT = struct(
            "ibv_qp_ex",
            extending(IbvQp.LAYOUT, "ibv_qp", mutex("mutex"), condition("cond"), int32("events_completed"))
                    .withName("qp_base"),
            int64("comp_mask"),
            int64("wr_id"),
            int32("wr_flags"),
            pointer("wr_atomic_cmp_swp"),
            pointer("wr_atomic_fetch_add"),
            pointer("wr_bind_mw"),
            pointer("wr_local_inv"),
            pointer("wr_rdma_read"),
            pointer("wr_rdma_write"),
            pointer("wr_rdma_write_imm"),
            pointer("wr_send"),
            pointer("wr_send_imm"),
            pointer("wr_send_inv"),
            pointer("wr_send_tso"),
            pointer("wr_set_ud_addr"),
            pointer("wr_set_xrc_srqn"),
            pointer("wr_set_inline_data"),
            pointer("wr_set_inline_data_list"),
            pointer("wr_set_sge"),
            pointer("wr_set_sge_list"),
            pointer("wr_start"),
            pointer("wr_complete"),
            pointer("wr_abort"),
            pointer("wr_atomic_write"));

    public static final long WR_ID = offset(LAYOUT, "wr_id");

    /** Offset of {@code wr_flags}: {@code enum ibv_send_flags}. */
    public static final long WR_FLAGS = offset(LAYOUT, "wr_flags");

    public static final long WR_START = offset(LAYOUT, "wr_start");
    public static final long WR_COMPLETE = offset(LAYOUT, "wr_complete");

    /** Offset of {@code wr_atomic_write}. This member exists since rdma-core 44. */
    public static final long WR_ATOMIC_WRITE = offset(LAYOUT, "wr_atomic_write");

    /** Offset of {@code wr_flush}. This member exists since rdma-core 45. */
    public static final long WR_FLUSH = LAYOUT.byteSize();

    /** The size of {@code struct ibv_qp_ex} in bytes since rdma-core 45. */
    public static final long SIZE_WITH_FLUSH = WR_FLUSH + Long.BYTES;

    private IbvQpEx() {}
}
