// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int8;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_ah_attr} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. */
public final class IbvAhAttr {
    public static final StructLayout LAYOUT = struct(
            "ibv_ah_attr",
            IbvGlobalRoute.LAYOUT.withName("grh"),
            int16("dlid"),
            int8("sl"),
            int8("src_path_bits"),
            int8("static_rate"),
            int8("is_global"),
            int8("port_num"));

    public static final long GRH = offset(LAYOUT, "grh");
    public static final long DLID = offset(LAYOUT, "dlid");
    public static final long SL = offset(LAYOUT, "sl");
    public static final long SRC_PATH_BITS = offset(LAYOUT, "src_path_bits");
    public static final long STATIC_RATE = offset(LAYOUT, "static_rate");
    public static final long IS_GLOBAL = offset(LAYOUT, "is_global");
    public static final long PORT_NUM = offset(LAYOUT, "port_num");

    private IbvAhAttr() {}
}
