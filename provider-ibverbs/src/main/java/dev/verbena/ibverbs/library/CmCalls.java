// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/**
 * The functions of librdmacm ({@code rdma/rdma_cma.h}). On success each function returns 0 or a pointer; on failure it
 * returns -1 or NULL, and sets errno.
 */
public interface CmCalls {
    /** {@code rdma_create_event_channel(void)}: a {@code struct rdma_event_channel}. */
    @CFunction(value = "rdma_create_event_channel", errno = true)
    MemorySegment createEventChannel(MemorySegment callState);

    @CFunction("rdma_destroy_event_channel")
    void destroyEventChannel(MemorySegment channel);

    /** {@code rdma_create_id(channel, struct rdma_cm_id **, void *context, enum rdma_port_space)}. */
    @CFunction(value = "rdma_create_id", errno = true)
    int createId(
            MemorySegment callState, MemorySegment channel, MemorySegment id, MemorySegment context, int portSpace);

    /** {@code rdma_destroy_id(id)}, which waits until the events of the id are acknowledged. */
    @CFunction(value = "rdma_destroy_id", errno = true)
    int destroyId(MemorySegment callState, MemorySegment id);

    /** {@code rdma_bind_addr(id, struct sockaddr *)}. */
    @CFunction(value = "rdma_bind_addr", errno = true)
    int bindAddr(MemorySegment callState, MemorySegment id, MemorySegment address);

    @CFunction(value = "rdma_listen", errno = true)
    int listen(MemorySegment callState, MemorySegment id, int backlog);

    /** {@code rdma_resolve_addr(id, source, destination, timeout_ms)}. */
    @CFunction(value = "rdma_resolve_addr", errno = true)
    int resolveAddr(
            MemorySegment callState, MemorySegment id, MemorySegment source, MemorySegment destination, int timeout);

    @CFunction(value = "rdma_resolve_route", errno = true)
    int resolveRoute(MemorySegment callState, MemorySegment id, int timeout);

    /** {@code rdma_create_qp(id, pd, struct ibv_qp_init_attr *)}, which stores the queue pair in the id. */
    @CFunction(value = "rdma_create_qp", errno = true)
    int createQp(MemorySegment callState, MemorySegment id, MemorySegment pd, MemorySegment attributes);

    /** {@code rdma_create_qp_ex(id, struct ibv_qp_init_attr_ex *)}, which stores the queue pair in the id. */
    @CFunction(value = "rdma_create_qp_ex", errno = true, optional = true)
    int createQpEx(MemorySegment callState, MemorySegment id, MemorySegment attributes);

    @CFunction("rdma_destroy_qp")
    void destroyQp(MemorySegment id);

    /** {@code rdma_connect(id, struct rdma_conn_param *)}. */
    @CFunction(value = "rdma_connect", errno = true)
    int connect(MemorySegment callState, MemorySegment id, MemorySegment parameters);

    /** {@code rdma_accept(id, struct rdma_conn_param *)}. */
    @CFunction(value = "rdma_accept", errno = true)
    int accept(MemorySegment callState, MemorySegment id, MemorySegment parameters);

    /** {@code rdma_reject(id, const void *private_data, uint8_t length)}. */
    @CFunction(value = "rdma_reject", errno = true)
    int reject(MemorySegment callState, MemorySegment id, MemorySegment privateData, int length);

    /** {@code rdma_init_qp_attr(id, struct ibv_qp_attr *, int *qp_attr_mask)} (RDMACM_1.2). */
    @CFunction(value = "rdma_init_qp_attr", errno = true, optional = true)
    int initQpAttr(MemorySegment callState, MemorySegment id, MemorySegment attributes, MemorySegment mask);

    /** {@code rdma_set_local_ece(id, struct ibv_ece *)} (RDMACM_1.3). */
    @CFunction(value = "rdma_set_local_ece", errno = true, optional = true)
    int setLocalEce(MemorySegment callState, MemorySegment id, MemorySegment ece);

    /** {@code rdma_get_remote_ece(id, struct ibv_ece *)} (RDMACM_1.3). */
    @CFunction(value = "rdma_get_remote_ece", errno = true, optional = true)
    int getRemoteEce(MemorySegment callState, MemorySegment id, MemorySegment ece);

    /** {@code rdma_establish(id)} (RDMACM_1.2). */
    @CFunction(value = "rdma_establish", errno = true, optional = true)
    int establish(MemorySegment callState, MemorySegment id);

    /** {@code rdma_notify(id, enum ibv_event_type)}. */
    @CFunction(value = "rdma_notify", errno = true)
    int notify(MemorySegment callState, MemorySegment id, int event);

    @CFunction(value = "rdma_disconnect", errno = true)
    int disconnect(MemorySegment callState, MemorySegment id);

    /** {@code rdma_set_option(id, level, optname, void *optval, size_t optlen)}. */
    @CFunction(value = "rdma_set_option", errno = true)
    int setOption(MemorySegment callState, MemorySegment id, int level, int name, MemorySegment value, long length);

    @CFunction(value = "rdma_migrate_id", errno = true)
    int migrateId(MemorySegment callState, MemorySegment id, MemorySegment channel);

    /** {@code rdma_join_multicast_ex(id, struct rdma_cm_join_mc_attr_ex *, void *context)} (RDMACM_1.1). */
    @CFunction(value = "rdma_join_multicast_ex", errno = true)
    int joinMulticast(MemorySegment callState, MemorySegment id, MemorySegment group, MemorySegment context);

    /** {@code rdma_leave_multicast(id, struct sockaddr *)}. */
    @CFunction(value = "rdma_leave_multicast", errno = true)
    int leaveMulticast(MemorySegment callState, MemorySegment id, MemorySegment group);

    /**
     * {@code rdma_get_devices(int *num_devices)} returns an array of contexts with NULL as its last element. If
     * {@code rdma_get_devices} fails, it returns NULL and sets errno. Until {@code rdma_free_devices} is called,
     * librdmacm does not close the returned contexts, even if a device is removed.
     */
    @CFunction(value = "rdma_get_devices", errno = true)
    MemorySegment getDevices(MemorySegment callState, MemorySegment count);

    /** {@code rdma_get_cm_event(channel, struct rdma_cm_event **)}. */
    @CFunction(value = "rdma_get_cm_event", errno = true)
    int getCmEvent(MemorySegment callState, MemorySegment channel, MemorySegment event);

    /** {@code rdma_ack_cm_event(event)}; the event's structures are invalid after this call. */
    @CFunction(value = "rdma_ack_cm_event", errno = true)
    int ackCmEvent(MemorySegment callState, MemorySegment event);
}
