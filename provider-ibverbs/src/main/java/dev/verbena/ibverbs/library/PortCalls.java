// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/** Functions to which a {@code struct verbs_context} has pointers. libibverbs does not export these functions. */
public interface PortCalls {
    /** {@code query_port(context, port, struct ibv_port_attr *, size_t length)} returns 0 or an errno. */
    @CFunction(value = "query_port", errno = true, optional = true)
    int queryPort(MemorySegment callState, MemorySegment context, int port, MemorySegment attributes, long length);

    /** {@code advise_mr(pd, enum ibv_advise_mr_advice, flags, struct ibv_sge *, uint32_t)} returns 0 or an errno. */
    @CFunction(value = "advise_mr", errno = true, optional = true)
    int adviseMr(MemorySegment callState, MemorySegment pd, int advice, int flags, MemorySegment entries, int count);

    /** {@code modify_cq(struct ibv_cq *, struct ibv_modify_cq_attr *)} returns 0 or an errno. */
    @CFunction(value = "modify_cq", errno = true, optional = true)
    int modifyCq(MemorySegment callState, MemorySegment cq, MemorySegment attributes);

    /** {@code create_cq_ex(context, struct ibv_cq_init_attr_ex *)} returns an {@code ibv_cq_ex}, or NULL with errno. */
    @CFunction(value = "create_cq_ex", errno = true, optional = true)
    MemorySegment createCqEx(MemorySegment callState, MemorySegment context, MemorySegment attributes);

    /** {@code create_qp_ex(context, struct ibv_qp_init_attr_ex *)} returns a {@code struct ibv_qp}, or NULL with errno. */
    @CFunction(value = "create_qp_ex", errno = true, optional = true)
    MemorySegment createQpEx(MemorySegment callState, MemorySegment context, MemorySegment attributes);

    /** {@code query_rt_values(context, struct ibv_values_ex *)} returns 0 or an errno. */
    @CFunction(value = "query_rt_values", errno = true, optional = true)
    int queryRtValues(MemorySegment callState, MemorySegment context, MemorySegment values);

    /** {@code query_device_ex(context, input or NULL, struct ibv_device_attr_ex *, length)} returns 0 or an errno. */
    @CFunction(value = "query_device_ex", errno = true, optional = true)
    int queryDeviceEx(
            MemorySegment callState, MemorySegment context, MemorySegment input, MemorySegment attributes, long length);
}
