// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_conn_param} of {@code rdma/rdma_cma.h}, unchanged since symbol version RDMACM_1.0. */
public final class RdmaConnParam {
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

    public static final long PRIVATE_DATA = offset(LAYOUT, "private_data");
    public static final long PRIVATE_DATA_LEN = offset(LAYOUT, "private_data_len");
    public static final long RESPONDER_RESOURCES = offset(LAYOUT, "responder_resources");
    public static final long INITIATOR_DEPTH = offset(LAYOUT, "initiator_depth");
    public static final long FLOW_CONTROL = offset(LAYOUT, "flow_control");
    public static final long RETRY_COUNT = offset(LAYOUT, "retry_count");
    public static final long RNR_RETRY_COUNT = offset(LAYOUT, "rnr_retry_count");
    public static final long SRQ = offset(LAYOUT, "srq");
    public static final long QP_NUM = offset(LAYOUT, "qp_num");

    private RdmaConnParam() {}
}
