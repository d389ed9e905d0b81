// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_route} of {@code rdma/rdma_cma.h}: the same in every librdmacm with symbol version RDMACM_1.0. */
public final class RdmaRoute {
    /** The whole structure in the platform's alignment and byte order. */
    public static final StructLayout LAYOUT =
            struct("rdma_route", RdmaAddr.LAYOUT.withName("addr"), pointer("path_rec"), int32("num_paths"));

    /** Offset of {@code addr}. */
    public static final long ADDR = offset(LAYOUT, "addr");

    private RdmaRoute() {}
}
