// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_route} of {@code rdma/rdma_cma.h}, unchanged since symbol version RDMACM_1.0. */
public final class RdmaRoute {
    public static final StructLayout LAYOUT =
            struct("rdma_route", RdmaAddr.LAYOUT.withName("addr"), pointer("path_rec"), int32("num_paths"));

    public static final long ADDR = offset(LAYOUT, "addr");

    private RdmaRoute() {}
}
