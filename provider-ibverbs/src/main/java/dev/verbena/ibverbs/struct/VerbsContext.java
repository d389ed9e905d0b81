// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import java.lang.foreign.ValueLayout;

/**
 * {@code struct verbs_context} of {@code infiniband/verbs.h}, whose last member is a {@code struct ibv_context}. Newer
 * releases add members at the start of the structure, so this class counts the offset of each member backwards from the
 * {@code struct ibv_context}. The member {@code sz}, right before the {@code struct ibv_context}, contains the size of
 * the {@code struct verbs_context}.
 */
public final class VerbsContext {
    private static final long POINTER = ValueLayout.ADDRESS.byteSize();

    /** The distance in bytes from the member {@code sz} to the struct ibv_context. */
    public static final long SZ_BEFORE_CONTEXT = POINTER;

    /** The distance in bytes from {@code query_port} (rdma-core 22) to the struct ibv_context. */
    public static final long QUERY_PORT_BEFORE_CONTEXT = 40 * POINTER;

    /** The distance in bytes from {@code advise_mr} (rdma-core 22) to the struct ibv_context. */
    public static final long ADVISE_MR_BEFORE_CONTEXT = 39 * POINTER;

    /** The distance in bytes from {@code modify_cq} (rdma-core 16) to the struct ibv_context. */
    public static final long MODIFY_CQ_BEFORE_CONTEXT = 23 * POINTER;

    /** The distance in bytes from {@code query_device_ex} to the struct ibv_context. */
    public static final long QUERY_DEVICE_EX_BEFORE_CONTEXT = 13 * POINTER;

    /** The distance in bytes from {@code create_cq_ex} to the struct ibv_context. */
    public static final long CREATE_CQ_EX_BEFORE_CONTEXT = 15 * POINTER;

    /** The distance in bytes from {@code query_rt_values} to {@code context} in {@code struct verbs_context}. */
    public static final long QUERY_RT_VALUES_BEFORE_CONTEXT = 16 * POINTER;

    /** The distance in bytes from {@code create_qp_ex} to {@code context} in {@code struct verbs_context}. */
    public static final long CREATE_QP_EX_BEFORE_CONTEXT = 7 * POINTER;

    private VerbsContext() {}
}
