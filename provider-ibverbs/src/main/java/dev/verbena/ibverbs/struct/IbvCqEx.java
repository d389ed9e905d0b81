// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.condition;
import static dev.verbena.ibverbs.struct.CLayout.extending;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.mutex;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_cq_ex} of {@code infiniband/verbs.h}. The structure begins with the members of {@code struct ibv_cq}.
 */
public final class IbvCqEx {
    /**
     * The layout of {@code struct ibv_cq_ex} up to its member {@code read_completion_ts}; later releases append further
     * functions.
     */
    public static final StructLayout LAYOUT = extending(
            IbvCq.LAYOUT,
            "ibv_cq_ex",
            mutex("mutex"),
            condition("cond"),
            int32("comp_events_completed"),
            int32("async_events_completed"),
            int32("comp_mask"),
            int32("status"),
            int64("wr_id"),
            pointer("start_poll"),
            pointer("next_poll"),
            pointer("end_poll"),
            pointer("read_opcode"),
            pointer("read_vendor_err"),
            pointer("read_byte_len"),
            pointer("read_imm_data"),
            pointer("read_qp_num"),
            pointer("read_src_qp"),
            pointer("read_wc_flags"),
            pointer("read_slid"),
            pointer("read_sl"),
            pointer("read_dlid_path_bits"),
            pointer("read_completion_ts"));

    public static final long STATUS = offset(LAYOUT, "status");
    public static final long WR_ID = offset(LAYOUT, "wr_id");
    public static final long START_POLL = offset(LAYOUT, "start_poll");
    public static final long NEXT_POLL = offset(LAYOUT, "next_poll");
    public static final long END_POLL = offset(LAYOUT, "end_poll");
    public static final long READ_OPCODE = offset(LAYOUT, "read_opcode");
    public static final long READ_VENDOR_ERR = offset(LAYOUT, "read_vendor_err");
    public static final long READ_BYTE_LEN = offset(LAYOUT, "read_byte_len");
    public static final long READ_IMM_DATA = offset(LAYOUT, "read_imm_data");
    public static final long READ_QP_NUM = offset(LAYOUT, "read_qp_num");
    public static final long READ_SRC_QP = offset(LAYOUT, "read_src_qp");
    public static final long READ_WC_FLAGS = offset(LAYOUT, "read_wc_flags");
    public static final long READ_SLID = offset(LAYOUT, "read_slid");
    public static final long READ_SL = offset(LAYOUT, "read_sl");
    public static final long READ_DLID_PATH_BITS = offset(LAYOUT, "read_dlid_path_bits");
    public static final long READ_COMPLETION_TS = offset(LAYOUT, "read_completion_ts");

    private IbvCqEx() {}
}
