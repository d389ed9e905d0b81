// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.mutex;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.pointer;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * {@code struct ibv_context} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1. The function
 * pointers whose names begin with {@code _compat_} must not be called.
 */
public final class IbvContext {
    private static final StructLayout OPS = struct(
            "ops",
            Stream.of(
                            unused(0, 7),
                            named("alloc_mw", "bind_mw", "dealloc_mw"),
                            unused(7, 1),
                            named("poll_cq", "req_notify_cq"),
                            unused(8, 7),
                            named("post_srq_recv"),
                            unused(15, 4),
                            named("post_send", "post_recv"),
                            unused(19, 5))
                    .flatMap(Arrays::stream)
                    .toArray(MemoryLayout[]::new));

    public static final StructLayout LAYOUT = struct(
            "ibv_context",
            pointer("device"),
            OPS,
            int32("cmd_fd"),
            int32("async_fd"),
            int32("num_comp_vectors"),
            mutex("mutex"),
            pointer("abi_compat"));

    public static final long ALLOC_MW = offset(LAYOUT, "ops", "alloc_mw");
    public static final long BIND_MW = offset(LAYOUT, "ops", "bind_mw");
    public static final long DEALLOC_MW = offset(LAYOUT, "ops", "dealloc_mw");
    public static final long POLL_CQ = offset(LAYOUT, "ops", "poll_cq");
    public static final long REQ_NOTIFY_CQ = offset(LAYOUT, "ops", "req_notify_cq");
    public static final long POST_SRQ_RECV = offset(LAYOUT, "ops", "post_srq_recv");
    public static final long POST_SEND = offset(LAYOUT, "ops", "post_send");
    public static final long POST_RECV = offset(LAYOUT, "ops", "post_recv");
    public static final long ASYNC_FD = offset(LAYOUT, "async_fd");
    public static final long NUM_COMP_VECTORS = offset(LAYOUT, "num_comp_vectors");

    /** Offset of {@code abi_compat}. All bits of this member are 1 if the context is part of a {@link VerbsContext}. */
    public static final long ABI_COMPAT = offset(LAYOUT, "abi_compat");

    private IbvContext() {}

    private static MemoryLayout[] named(String... names) {
        return Stream.of(names).map(CLayout::pointer).toArray(MemoryLayout[]::new);
    }

    private static MemoryLayout[] unused(int first, int count) {
        return Stream.iterate(first, i -> i + 1)
                .limit(count)
                .map(i -> pointer("_compat_" + i))
                .toArray(MemoryLayout[]::new);
    }
}
