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

/** {@code struct ibv_cq_ex} of {@code infiniband/verbs.h}, which begins as {@code struct ibv_cq} does; later releases add functions. */
public final class IbvCqEx {
    /** The structure up to {@code read_completion_ts}, in the platform's alignment and byte order. */
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

    /** Offset of {@code status}. */
    public static final long STATUS = offset(LAYOUT, "status");

    /** Offset of {@code wr_id}. */
    public static final long WR_ID = offset(LAYOUT, "wr_id");

    /** Offset of {@code start_poll}. */
    public static final long START_POLL = offset(LAYOUT, "start_poll");

    /** Offset of {@code next_poll}. */
    public static final long NEXT_POLL = offset(LAYOUT, "next_poll");

    /** Offset of {@code end_poll}. */
    public static final long END_POLL = offset(LAYOUT, "end_poll");

    /** Offset of {@code read_opcode}. */
    public static final long READ_OPCODE = offset(LAYOUT, "read_opcode");

    /** Offset of {@code read_vendor_err}. */
    public static final long READ_VENDOR_ERR = offset(LAYOUT, "read_vendor_err");

    /** Offset of {@code read_byte_len}. */
    public static final long READ_BYTE_LEN = offset(LAYOUT, "read_byte_len");

    /** Offset of {@code read_imm_data}. */
    public static final long READ_IMM_DATA = offset(LAYOUT, "read_imm_data");

    /** Offset of {@code read_qp_num}. */
    public static final long READ_QP_NUM = offset(LAYOUT, "read_qp_num");

    /** Offset of {@code read_src_qp}. */
    public static final long READ_SRC_QP = offset(LAYOUT, "read_src_qp");

    /** Offset of {@code read_wc_flags}. */
    public static final long READ_WC_FLAGS = offset(LAYOUT, "read_wc_flags");

    /** Offset of {@code read_slid}. */
    public static final long READ_SLID = offset(LAYOUT, "read_slid");

    /** Offset of {@code read_sl}. */
    public static final long READ_SL = offset(LAYOUT, "read_sl");

    /** Offset of {@code read_dlid_path_bits}. */
    public static final long READ_DLID_PATH_BITS = offset(LAYOUT, "read_dlid_path_bits");

    /** Offset of {@code read_completion_ts}. */
    public static final long READ_COMPLETION_TS = offset(LAYOUT, "read_completion_ts");

    private IbvCqEx() {}
}
