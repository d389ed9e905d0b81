// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/** The functions of libibverbs for completion queues and completion channels. */
public interface CompletionCalls {
    /** {@code ibv_create_comp_channel(context)} returns a {@code struct ibv_comp_channel}, or NULL with errno. */
    @CFunction(value = "ibv_create_comp_channel", errno = true)
    MemorySegment createCompChannel(MemorySegment callState, MemorySegment context);

    /** {@code ibv_destroy_comp_channel(channel)} returns 0 or an errno. */
    @CFunction(value = "ibv_destroy_comp_channel", errno = true)
    int destroyCompChannel(MemorySegment callState, MemorySegment channel);

    /** {@code ibv_create_cq(context, cqe, cq_context, channel, comp_vector)} returns a {@code struct ibv_cq} or NULL. */
    @CFunction(value = "ibv_create_cq", errno = true)
    MemorySegment createCq(
            MemorySegment callState,
            MemorySegment context,
            int cqe,
            MemorySegment cqContext,
            MemorySegment channel,
            int vector);

    /** {@code ibv_resize_cq(cq, cqe)} returns 0 or an errno. */
    @CFunction(value = "ibv_resize_cq", errno = true)
    int resizeCq(MemorySegment callState, MemorySegment cq, int cqe);

    /** {@code ibv_destroy_cq(cq)} returns 0 or an errno. */
    @CFunction(value = "ibv_destroy_cq", errno = true)
    int destroyCq(MemorySegment callState, MemorySegment cq);

    /** {@code ibv_get_cq_event(channel, struct ibv_cq **, void **cq_context)} returns 0, or -1 with errno. */
    @CFunction(value = "ibv_get_cq_event", errno = true)
    int getCqEvent(MemorySegment callState, MemorySegment channel, MemorySegment cq, MemorySegment cqContext);

    @CFunction("ibv_ack_cq_events")
    void ackCqEvents(MemorySegment cq, int count);
}
