// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/** The functions of libibverbs for queue pairs, shared receive queues and address handles. */
public interface QueuePairCalls {
    /** {@code ibv_create_qp(pd, struct ibv_qp_init_attr *)} returns a {@code struct ibv_qp}, or NULL with errno. */
    @CFunction(value = "ibv_create_qp", errno = true)
    MemorySegment createQp(MemorySegment callState, MemorySegment pd, MemorySegment attributes);

    /** {@code ibv_modify_qp(qp, struct ibv_qp_attr *, mask)} returns 0 or an errno. */
    @CFunction(value = "ibv_modify_qp", errno = true)
    int modifyQp(MemorySegment callState, MemorySegment qp, MemorySegment attributes, int mask);

    /** {@code ibv_query_qp(qp, struct ibv_qp_attr *, mask, struct ibv_qp_init_attr *)} returns 0 or an errno. */
    @CFunction(value = "ibv_query_qp", errno = true)
    int queryQp(MemorySegment callState, MemorySegment qp, MemorySegment attributes, int mask, MemorySegment initial);

    /** {@code ibv_query_qp_data_in_order(qp, opcode, flags)} returns 1 if data is written in order, and 0 otherwise. */
    @CFunction(value = "ibv_query_qp_data_in_order", optional = true)
    int queryQpDataInOrder(MemorySegment qp, int opcode, int flags);

    /** {@code ibv_qp_to_qp_ex(qp)} returns NULL if the queue pair was created without send_ops_flags. */
    @CFunction(value = "ibv_qp_to_qp_ex", optional = true)
    MemorySegment qpToQpEx(MemorySegment qp);

    /** {@code ibv_query_ece(qp, struct ibv_ece *)} (IBVERBS_1.10) returns 0 or an errno. */
    @CFunction(value = "ibv_query_ece", errno = true, optional = true)
    int queryEce(MemorySegment callState, MemorySegment qp, MemorySegment ece);

    /** {@code ibv_set_ece(qp, struct ibv_ece *)} (IBVERBS_1.10) returns 0 or an errno. */
    @CFunction(value = "ibv_set_ece", errno = true, optional = true)
    int setEce(MemorySegment callState, MemorySegment qp, MemorySegment ece);

    /** {@code ibv_destroy_qp(qp)}: 0 or an errno. */
    @CFunction(value = "ibv_destroy_qp", errno = true)
    int destroyQp(MemorySegment callState, MemorySegment qp);

    /** {@code ibv_attach_mcast(qp, const union ibv_gid *, uint16_t lid)} returns 0 or an errno. */
    @CFunction(value = "ibv_attach_mcast", errno = true)
    int attachMcast(MemorySegment callState, MemorySegment qp, MemorySegment gid, int lid);

    /** {@code ibv_detach_mcast(qp, const union ibv_gid *, uint16_t lid)} returns 0 or an errno. */
    @CFunction(value = "ibv_detach_mcast", errno = true)
    int detachMcast(MemorySegment callState, MemorySegment qp, MemorySegment gid, int lid);

    /** {@code ibv_create_srq(pd, struct ibv_srq_init_attr *)} returns a {@code struct ibv_srq}, or NULL with errno. */
    @CFunction(value = "ibv_create_srq", errno = true)
    MemorySegment createSrq(MemorySegment callState, MemorySegment pd, MemorySegment attributes);

    /** {@code ibv_modify_srq(srq, struct ibv_srq_attr *, mask)} returns 0 or an errno. */
    @CFunction(value = "ibv_modify_srq", errno = true)
    int modifySrq(MemorySegment callState, MemorySegment srq, MemorySegment attributes, int mask);

    /** {@code ibv_query_srq(srq, struct ibv_srq_attr *)} returns 0 or an errno. */
    @CFunction(value = "ibv_query_srq", errno = true)
    int querySrq(MemorySegment callState, MemorySegment srq, MemorySegment attributes);

    /** {@code ibv_destroy_srq(srq)}: 0 or an errno. */
    @CFunction(value = "ibv_destroy_srq", errno = true)
    int destroySrq(MemorySegment callState, MemorySegment srq);

    /** {@code ibv_create_ah(pd, struct ibv_ah_attr *)} returns a {@code struct ibv_ah}, or NULL with errno. */
    @CFunction(value = "ibv_create_ah", errno = true)
    MemorySegment createAh(MemorySegment callState, MemorySegment pd, MemorySegment attributes);

    /** {@code ibv_init_ah_from_wc(context, port, wc, grh, struct ibv_ah_attr *)} returns 0, or -1 with errno. */
    @CFunction(value = "ibv_init_ah_from_wc", errno = true)
    int initAhFromWc(
            MemorySegment callState,
            MemorySegment context,
            int port,
            MemorySegment completion,
            MemorySegment grh,
            MemorySegment attributes);

    /** {@code ibv_destroy_ah(ah)}: 0 or an errno. */
    @CFunction(value = "ibv_destroy_ah", errno = true)
    int destroyAh(MemorySegment callState, MemorySegment ah);
}
