// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_conn_param} of {@code rdma/rdma_cma.h}: the same in every librdmacm with symbol version RDMACM_1.0. */
public final class RdmaConnParam {
    /** The whole structure in the platform's alignment and byte order. */
    public static final StructLayout LAYOUT = struct(
            "rdma_conn_param",
            pointer("private_data"),
            int8("private_data_len"),
            int8("responder_resources"),
            int8("initiator_depth"),
            int8("flow_control"),
            int8("retry_count"),
            int8("rnr_retry_count"),
            int8("srq"),
            int32("qp_num"));

    /** Offset of {@code private_data}. */
    public static final long PRIVATE_DATA = offset(LAYOUT, "private_data");

    /** Offset of {@code private_data_len}. */
    public static final long PRIVATE_DATA_LEN = offset(LAYOUT, "private_data_len");

    /** Offset of {@code responder_resources}. */
    public static final long RESPONDER_RESOURCES = offset(LAYOUT, "responder_resources");

    /** Offset of {@code initiator_depth}. */
    public static final long INITIATOR_DEPTH = offset(LAYOUT, "initiator_depth");

    /** Offset of {@code flow_control}. */
    public static final long FLOW_CONTROL = offset(LAYOUT, "flow_control");

    /** Offset of {@code retry_count}. */
    public static final long RETRY_COUNT = offset(LAYOUT, "retry_count");

    /** Offset of {@code rnr_retry_count}. */
    public static final long RNR_RETRY_COUNT = offset(LAYOUT, "rnr_retry_count");

    /** Offset of {@code srq}. */
    public static final long SRQ = offset(LAYOUT, "srq");

    /** Offset of {@code qp_num}. */
    public static final long QP_NUM = offset(LAYOUT, "qp_num");

    private RdmaConnParam() {}
}
