// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import java.lang.foreign.ValueLayout;

/**
 * {@code struct verbs_context} of {@code infiniband/verbs.h}, which surrounds a {@code struct ibv_context} and grows at
 * its low end. Offsets count back from the context, and the member {@code sz} right before the context has the size.
 */
public final class VerbsContext {
    private static final long POINTER = ValueLayout.ADDRESS.byteSize();

    /** How far {@code sz} lies before the context. */
    public static final long SZ_BEFORE_CONTEXT = POINTER;

    /** How far {@code query_port} lies before the context, since rdma-core 22: 39 entries and {@code sz}. */
    public static final long QUERY_PORT_BEFORE_CONTEXT = 40 * POINTER;

    /** How far {@code modify_cq} lies before the context, since rdma-core 16: 22 entries and {@code sz}. */
    public static final long MODIFY_CQ_BEFORE_CONTEXT = 23 * POINTER;

    /** How far {@code query_device_ex} lies before the context: 12 entries and {@code sz}. */
    public static final long QUERY_DEVICE_EX_BEFORE_CONTEXT = 13 * POINTER;

    /** How far {@code create_cq_ex} lies before the context: 14 entries and {@code sz}. */
    public static final long CREATE_CQ_EX_BEFORE_CONTEXT = 15 * POINTER;

    /** How far {@code query_rt_values} lies before the context: 15 entries and {@code sz}. */
    public static final long QUERY_RT_VALUES_BEFORE_CONTEXT = 16 * POINTER;

    /** How far {@code create_qp_ex} lies before the context: 6 entries and {@code sz}. */
    public static final long CREATE_QP_EX_BEFORE_CONTEXT = 7 * POINTER;

    private VerbsContext() {}
}
