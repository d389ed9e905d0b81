// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * {@code struct ibv_device} of {@code infiniband/verbs.h}, unchanged since symbol version IBVERBS_1.1.
 *
 * <pre>{@code
 * struct ibv_device {
 *     struct _ibv_device_ops  _ops;            // two function pointers
 *     enum ibv_node_type      node_type;
 *     enum ibv_transport_type transport_type;
 *     char                    name[64];        // IBV_SYSFS_NAME_MAX
 *     char                    dev_name[64];
 *     char                    dev_path[256];   // IBV_SYSFS_PATH_MAX
 *     char                    ibdev_path[256];
 * };
 * }</pre>
 */
public final class IbvDevice {
    /** The length in bytes of the device's name with its terminating zero: {@code IBV_SYSFS_NAME_MAX}. */
    public static final int NAME_LENGTH = 64;

    private static final int PATH_LENGTH = 256;

    public static final GroupLayout LAYOUT = MemoryLayout.structLayout(
                    ValueLayout.ADDRESS.withName("_ops._dummy1"),
                    ValueLayout.ADDRESS.withName("_ops._dummy2"),
                    ValueLayout.JAVA_INT.withName("node_type"),
                    ValueLayout.JAVA_INT.withName("transport_type"),
                    text("name", NAME_LENGTH),
                    text("dev_name", NAME_LENGTH),
                    text("dev_path", PATH_LENGTH),
                    text("ibdev_path", PATH_LENGTH))
            .withName("ibv_device");

    /** {@code IBV_TRANSPORT_IWARP} of {@code enum ibv_transport_type}. */
    public static final int TRANSPORT_IWARP = 1;

    private static final VarHandle NODE_TYPE = LAYOUT.varHandle(PathElement.groupElement("node_type"));
    private static final VarHandle TRANSPORT_TYPE = LAYOUT.varHandle(PathElement.groupElement("transport_type"));

    private IbvDevice() {}

    public static int nodeType(MemorySegment device) {
        return (int) NODE_TYPE.get(device, 0L);
    }

    public static int transportType(MemorySegment device) {
        return (int) TRANSPORT_TYPE.get(device, 0L);
    }

    private static MemoryLayout text(String name, int length) {
        return MemoryLayout.sequenceLayout(length, ValueLayout.JAVA_BYTE).withName(name);
    }
}
