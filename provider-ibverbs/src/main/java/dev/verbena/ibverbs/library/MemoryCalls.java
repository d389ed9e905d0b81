// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/** The functions of libibverbs for protection domains and memory regions. */
public interface MemoryCalls {
    /** {@code ibv_alloc_pd(context)} returns a {@code struct ibv_pd}, or NULL with errno. */
    @CFunction(value = "ibv_alloc_pd", errno = true)
    MemorySegment allocPd(MemorySegment callState, MemorySegment context);

    /** {@code ibv_dealloc_pd(pd)}: 0 or an errno. */
    @CFunction(value = "ibv_dealloc_pd", errno = true)
    int deallocPd(MemorySegment callState, MemorySegment pd);

    /**
     * The function {@code ibv_reg_mr(pd, addr, length, access)} returns a {@code struct ibv_mr}, or NULL with errno.
     * The macro {@code ibv_reg_mr} calls this function.
     */
    @CFunction(value = "ibv_reg_mr", errno = true)
    MemorySegment regMr(MemorySegment callState, MemorySegment pd, MemorySegment address, long length, int access);

    /** The function (not the macro) {@code ibv_reg_mr_iova(pd, addr, length, iova, access)} (IBVERBS_1.7). */
    @CFunction(value = "ibv_reg_mr_iova", errno = true)
    MemorySegment regMrIova(
            MemorySegment callState, MemorySegment pd, MemorySegment address, long length, long iova, int access);

    /**
     * {@code ibv_reg_mr_iova2(pd, addr, length, iova, access)} (IBVERBS_1.8). The macros {@code ibv_reg_mr} and
     * {@code ibv_reg_mr_iova} call this function if the access flags contain an optional flag
     * (IBV_ACCESS_OPTIONAL_RANGE), or are not a compile-time constant.
     */
    @CFunction(value = "ibv_reg_mr_iova2", errno = true)
    MemorySegment regMrIova2(
            MemorySegment callState, MemorySegment pd, MemorySegment address, long length, long iova, int access);

    /** {@code ibv_reg_dmabuf_mr(pd, uint64_t offset, length, uint64_t iova, fd, access)} (IBVERBS_1.12). */
    @CFunction(value = "ibv_reg_dmabuf_mr", errno = true, optional = true)
    MemorySegment regDmabufMr(
            MemorySegment callState, MemorySegment pd, long offset, long length, long iova, int fd, int access);

    /** {@code ibv_rereg_mr(mr, flags, pd, addr, length, access)} returns a code of {@code ibv_rereg_mr_err_code}. */
    @CFunction(value = "ibv_rereg_mr", errno = true)
    int reregMr(
            MemorySegment callState,
            MemorySegment mr,
            int flags,
            MemorySegment pd,
            MemorySegment address,
            long length,
            int access);

    /** {@code ibv_dereg_mr(mr)}: 0 or an errno. */
    @CFunction(value = "ibv_dereg_mr", errno = true)
    int deregMr(MemorySegment callState, MemorySegment mr);
}
