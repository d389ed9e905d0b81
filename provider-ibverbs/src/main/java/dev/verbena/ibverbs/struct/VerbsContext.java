// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import java.lang.foreign.ValueLayout;

/**
 * {@code struct verbs_context} of {@code infiniband/verbs.h}. The last member of the structure is a {@code struct
 * ibv_context}; newer releases add members at the start. Offsets are counted back from the context, and the member
 * {@code sz}, right before the context, contains the size.
 */
public final class VerbsContext {
    private static final long POINTER = ValueLayout.ADDRESS.byteSize();

    /** The distance in bytes of {@code sz} before the context. */
    public static final long SZ_BEFORE_CONTEXT = POINTER;

    /** The distance in bytes of {@code query_port} before the context, since rdma-core 22: 39 entries, {@code sz}. */
    public static final long QUERY_PORT_BEFORE_CONTEXT = 40 * POINTER;

    /** The distance in bytes of {@code modify_cq} before the context, since rdma-core 16: 22 entries, {@code sz}. */
    public static final long MODIFY_CQ_BEFORE_CONTEXT = 23 * POINTER;

    /** The distance in bytes of {@code query_device_ex} before the context: 12 entries, {@code sz}. */
    public static final long QUERY_DEVICE_EX_BEFORE_CONTEXT = 13 * POINTER;

    /** The distance in bytes of {@code create_cq_ex} before the context: 14 entries, {@code sz}. */
    public static final long CREATE_CQ_EX_BEFORE_CONTEXT = 15 * POINTER;

    /** The distance in bytes of {@code query_rt_values} before the context: 15 entries, {@code sz}. */
    public static final long QUERY_RT_VALUES_BEFORE_CONTEXT = 16 * POINTER;

    /** The distance in bytes of {@code create_qp_ex} before the context: 6 entries, {@code sz}. */
    public static final long CREATE_QP_EX_BEFORE_CONTEXT = 7 * POINTER;

    private VerbsContext() {}
}
