// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_wc} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvWc {
    public static final StructLayout LAYOUT = struct(
            "ibv_wc",
            int64("wr_id"),
            int32("status"),
            int32("opcode"),
            int32("vendor_err"),
            int32("byte_len"),
            int32("imm_data"),
            int32("qp_num"),
            int32("src_qp"),
            int32("wc_flags"),
            int16("pkey_index"),
            int16("slid"),
            int8("sl"),
            int8("dlid_path_bits"));

    public static final long WR_ID = offset(LAYOUT, "wr_id");
    public static final long STATUS = offset(LAYOUT, "status");
    public static final long OPCODE = offset(LAYOUT, "opcode");
    public static final long VENDOR_ERR = offset(LAYOUT, "vendor_err");
    public static final long BYTE_LEN = offset(LAYOUT, "byte_len");
    public static final long IMM_DATA = offset(LAYOUT, "imm_data");
    public static final long QP_NUM = offset(LAYOUT, "qp_num");
    public static final long SRC_QP = offset(LAYOUT, "src_qp");
    public static final long WC_FLAGS = offset(LAYOUT, "wc_flags");
    public static final long PKEY_INDEX = offset(LAYOUT, "pkey_index");
    public static final long SLID = offset(LAYOUT, "slid");
    public static final long SL = offset(LAYOUT, "sl");
    public static final long DLID_PATH_BITS = offset(LAYOUT, "dlid_path_bits");

    private IbvWc() {}
}
