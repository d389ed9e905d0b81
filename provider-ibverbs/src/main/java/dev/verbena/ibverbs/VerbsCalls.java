package dev.verbena.ibverbs;

import java.lang.foreign.MemorySegment;

/**
 * The functions of libibverbs that this version calls, with their C meaning. The seam at which tests stand in for the
 * library.
 */
interface VerbsCalls {
    /**
     * {@code ibv_get_device_list(int *num_devices)}.
     *
     * @param callState from {@link CallState#allocate}; holds errno afterwards if the result is NULL
     * @param numDevices an {@code int} that receives the count
     * @return an array of pointers to {@code struct ibv_device}, or NULL
     */
    MemorySegment getDeviceList(MemorySegment callState, MemorySegment numDevices);

    /** {@code ibv_free_device_list(struct ibv_device **list)}; what the list pointed to is gone afterwards. */
    void freeDeviceList(MemorySegment list);

    /** {@code ibv_get_device_name(struct ibv_device *device)}: a text of at most IBV_SYSFS_NAME_MAX bytes. */
    MemorySegment getDeviceName(MemorySegment device);

    /** {@code ibv_get_device_guid(struct ibv_device *device)}: eight bytes in network order, 0 if they cannot be read. */
    long getDeviceGuid(MemorySegment device);
}
