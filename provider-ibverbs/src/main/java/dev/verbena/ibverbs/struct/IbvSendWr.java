// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int16;
import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;
import static dev.verbena.ibverbs.struct.CLayout.union;

import java.lang.foreign.StructLayout;

/**
 * {@code struct ibv_send_wr} of {@code infiniband/verbs.h}, unchanged since libibverbs 1.2. The last member is an unnamed
 * union in C. This class gives the union the name {@code local}.
 */
public final class IbvSendWr {
    public static final StructLayout LAYOUT = struct(
            "ibv_send_wr",
            int64("wr_id"),
            pointer("next"),
            pointer("sg_list"),
            int32("num_sge"),
            int32("opcode"),
            int32("send_flags"),
            int32("imm_data"),
            union(
                    "wr",
                    struct("rdma", int64("remote_addr"), int32("rkey")),
                    struct("atomic", int64("remote_addr"), int64("compare_add"), int64("swap"), int32("rkey")),
                    struct("ud", pointer("ah"), int32("remote_qpn"), int32("remote_qkey"))),
            union("qp_type", struct("xrc", int32("remote_srqn"))),
            union(
                    "local",
                    struct("bind_mw", pointer("mw"), int32("rkey"), IbvMwBindInfo.LAYOUT.withName("bind_info")),
                    struct("tso", pointer("hdr"), int16("hdr_sz"), int16("mss"))));

    public static final long WR_ID = offset(LAYOUT, "wr_id");
    public static final long NEXT = offset(LAYOUT, "next");
    public static final long SG_LIST = offset(LAYOUT, "sg_list");
    public static final long NUM_SGE = offset(LAYOUT, "num_sge");
    public static final long OPCODE = offset(LAYOUT, "opcode");
    public static final long SEND_FLAGS = offset(LAYOUT, "send_flags");

    /** Offset of {@code imm_data} (big-endian), and also of {@code invalidate_rkey} (in the platform's byte order). */
    public static final long IMM_DATA = offset(LAYOUT, "imm_data");

    /** The common offset of {@code wr.rdma.remote_addr} and {@code wr.atomic.remote_addr}. */
    public static final long REMOTE_ADDR = offset(LAYOUT, "wr", "rdma", "remote_addr");

    public static final long RDMA_RKEY = offset(LAYOUT, "wr", "rdma", "rkey");
    public static final long COMPARE_ADD = offset(LAYOUT, "wr", "atomic", "compare_add");
    public static final long SWAP = offset(LAYOUT, "wr", "atomic", "swap");
    public static final long ATOMIC_RKEY = offset(LAYOUT, "wr", "atomic", "rkey");
    public static final long AH = offset(LAYOUT, "wr", "ud", "ah");
    public static final long REMOTE_QPN = offset(LAYOUT, "wr", "ud", "remote_qpn");
    public static final long REMOTE_QKEY = offset(LAYOUT, "wr", "ud", "remote_qkey");
    public static final long BIND_MW = offset(LAYOUT, "local", "bind_mw", "mw");
    public static final long BIND_RKEY = offset(LAYOUT, "local", "bind_mw", "rkey");

    /** Offset of {@code bind_mw.bind_info}, an {@link IbvMwBindInfo}. */
    public static final long BIND_INFO = offset(LAYOUT, "local", "bind_mw", "bind_info");

    private IbvSendWr() {}
}
