// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/** The functions of libibverbs that query an open device. */
public interface ContextCalls {
    /** {@code ibv_query_device(context, struct ibv_device_attr *)} returns 0 or an errno. */
    @CFunction(value = "ibv_query_device", errno = true)
    int queryDevice(MemorySegment callState, MemorySegment context, MemorySegment attributes);

    /** The old {@code ibv_query_port(context, uint8_t port, struct _compat_ibv_port_attr *)} returns 0 or an errno. */
    @CFunction(value = "ibv_query_port", errno = true)
    int queryPort(MemorySegment callState, MemorySegment context, int port, MemorySegment attributes);

    /** {@code _ibv_query_gid_table(context, entries, max, flags, entry_size)} returns a number of entries or -errno. */
    @CFunction(value = "_ibv_query_gid_table", errno = true)
    long queryGidTable(
            MemorySegment callState, MemorySegment context, MemorySegment entries, long max, int flags, long entrySize);

    /** {@code ibv_query_pkey(context, port, index, __be16 *pkey)} returns 0, or -1 with errno. */
    @CFunction(value = "ibv_query_pkey", errno = true)
    int queryPkey(MemorySegment callState, MemorySegment context, int port, int index, MemorySegment pkey);

    /** {@code ibv_get_async_event(context, struct ibv_async_event *)} returns 0, or -1 with errno. */
    @CFunction(value = "ibv_get_async_event", errno = true)
    int getAsyncEvent(MemorySegment callState, MemorySegment context, MemorySegment event);

    /** {@code ibv_ack_async_event(struct ibv_async_event *)}. */
    @CFunction("ibv_ack_async_event")
    void ackAsyncEvent(MemorySegment event);
}
