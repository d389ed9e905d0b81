// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/** The functions for memory windows in {@code struct ibv_context_ops}. libibverbs does not export these functions. */
public interface WindowCalls {
    /** {@code alloc_mw(pd, enum ibv_mw_type)} returns a {@code struct ibv_mw}, or NULL with errno. */
    @CFunction(value = "alloc_mw", errno = true)
    MemorySegment allocMw(MemorySegment callState, MemorySegment pd, int type);

    /** {@code bind_mw(qp, mw, struct ibv_mw_bind *)} returns 0 or an errno. */
    @CFunction(value = "bind_mw", errno = true)
    int bindMw(MemorySegment callState, MemorySegment qp, MemorySegment mw, MemorySegment bind);

    /** {@code dealloc_mw(mw)}: 0 or an errno. */
    @CFunction(value = "dealloc_mw", errno = true)
    int deallocMw(MemorySegment callState, MemorySegment mw);
}
