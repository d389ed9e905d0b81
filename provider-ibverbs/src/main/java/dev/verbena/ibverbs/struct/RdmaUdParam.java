// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_ud_param} of {@code rdma/rdma_cma.h}, unchanged since symbol version RDMACM_1.0. */
public final class RdmaUdParam {
    public static final StructLayout LAYOUT = struct(
            "rdma_ud_param",
            pointer("private_data"),
            int8("private_data_len"),
            IbvAhAttr.LAYOUT.withName("ah_attr"),
            int32("qp_num"),
            int32("qkey"));

    public static final long PRIVATE_DATA = offset(LAYOUT, "private_data");
    public static final long PRIVATE_DATA_LEN = offset(LAYOUT, "private_data_len");
    public static final long AH_ATTR = offset(LAYOUT, "ah_attr");
    public static final long QP_NUM = offset(LAYOUT, "qp_num");
    public static final long QKEY = offset(LAYOUT, "qkey");

    private RdmaUdParam() {}
}
