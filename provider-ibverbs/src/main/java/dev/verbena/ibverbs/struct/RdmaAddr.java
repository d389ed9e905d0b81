// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.bytes;
import static dev.verbena.ibverbs.struct.CLayout.gid;
import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;
import static dev.verbena.ibverbs.struct.CLayout.union;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_addr} of {@code rdma/rdma_cma.h}, unchanged since symbol version RDMACM_1.0. */
public final class RdmaAddr {
    /** The size in bytes of {@code struct sockaddr_storage}, the largest member of the unions of {@code rdma_addr}. */
    public static final int STORAGE = 128;

    /** In this layout of {@code rdma_addr}, each unnamed union has only its largest member. */
    public static final StructLayout LAYOUT = struct(
            "rdma_addr",
            union("src_storage", bytes("bytes", STORAGE), int64("align")),
            union("dst_storage", bytes("bytes", STORAGE), int64("align")),
            union("addr", struct("ibaddr", gid("sgid"), gid("dgid"), int16("pkey"))));

    public static final long SRC_STORAGE = offset(LAYOUT, "src_storage");
    public static final long DST_STORAGE = offset(LAYOUT, "dst_storage");

    private RdmaAddr() {}
}
