package dev.verbena.ibverbs;

import java.lang.foreign.MemorySegment;

/** What a {@code struct verbs_context} has that no symbol leads to. */
interface PortCalls {
    /** {@code query_port(context, port, struct ibv_port_attr *, size_t length)}: 0 or an errno. */
    @CFunction(value = "query_port", errno = true, optional = true)
    int queryPort(MemorySegment callState, MemorySegment context, byte port, MemorySegment attributes, long length);

    /** {@code modify_cq(struct ibv_cq *, struct ibv_modify_cq_attr *)}: 0 or an errno. */
    @CFunction(value = "modify_cq", errno = true, optional = true)
    int modifyCq(MemorySegment callState, MemorySegment cq, MemorySegment attributes);

    /** {@code query_device_ex(context, input or NULL, struct ibv_device_attr_ex *, size_t length)}: 0 or an errno. */
    @CFunction(value = "query_device_ex", errno = true, optional = true)
    int queryDeviceEx(
            MemorySegment callState, MemorySegment context, MemorySegment input, MemorySegment attributes, long length);
}
