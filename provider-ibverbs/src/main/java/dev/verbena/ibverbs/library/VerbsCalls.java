// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/**
 * The functions of libibverbs ({@code infiniband/verbs.h}) that list and open devices.
 *
 * <p>Tests replace libibverbs by implementing all interfaces whose methods have the annotation {@link CFunction}. A
 * function of {@code verbs.h} that is neither a macro nor an inline function is looked up by its name. For a macro, the
 * function that the macro calls is looked up. An inline function calls a function pointer in {@code struct ibv_context} or
 * {@code struct verbs_context}; Java calls this function pointer directly.
 */
public interface VerbsCalls {
    /** {@code ibv_get_device_list(int *num_devices)} returns an array of {@code ibv_device *}, or NULL with errno. */
    @CFunction(value = "ibv_get_device_list", errno = true)
    MemorySegment getDeviceList(MemorySegment callState, MemorySegment numDevices);

    /** {@code ibv_free_device_list(struct ibv_device **list)}; the devices of the list are invalid after this call. */
    @CFunction("ibv_free_device_list")
    void freeDeviceList(MemorySegment list);

    /** {@code ibv_get_device_name(struct ibv_device *device)} returns a C string of at most IBV_SYSFS_NAME_MAX bytes. */
    @CFunction("ibv_get_device_name")
    MemorySegment getDeviceName(MemorySegment device);

    /** {@code ibv_get_device_guid(struct ibv_device *)} returns eight bytes in network order, or 0 if unknown. */
    @CFunction("ibv_get_device_guid")
    long getDeviceGuid(MemorySegment device);

    /** {@code ibv_open_device(struct ibv_device *device)} returns a {@code struct ibv_context}, or NULL with errno. */
    @CFunction(value = "ibv_open_device", errno = true)
    MemorySegment openDevice(MemorySegment callState, MemorySegment device);

    /** {@code ibv_close_device(struct ibv_context *context)} returns 0, or -1 with errno. */
    @CFunction(value = "ibv_close_device", errno = true)
    int closeDevice(MemorySegment callState, MemorySegment context);

    /** {@code ibv_fork_init(void)}: 0 or an errno. */
    @CFunction("ibv_fork_init")
    int forkInit();

    /** {@code getpagesize(void)} of the C library returns the page size in bytes. libibverbs needs the C library. */
    @CFunction("getpagesize")
    int getPageSize();
}
