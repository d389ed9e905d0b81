// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.VerbsCalls;
import dev.verbena.ibverbs.struct.IbvDevice;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices that ibv_get_device_list(3) lists at one time. A provider never caches the device list, because devices
 * appear and vanish as kernel modules are loaded and unloaded.
 *
 * <p>A kernel without RDMA ({@code ENOSYS}) counts as a host without devices, not as a failure. If {@code devices} is
 * empty, {@code remark} contains the reason and a hint how to get a device.
 */
public record DeviceListing(List<DeviceInfo> devices, String remark) {
    private static final String VERB = "ibv_get_device_list";

    private static final String SOFT_ROCE =
            "for Soft-RoCE: modprobe rdma_rxe, then rdma link add rxe0 type rxe netdev eth0";

    /** Lists the devices. Throws {@link VerbsException} if the call fails with an errno other than ENOSYS. */
    public static DeviceListing take(VerbsCalls calls) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment list = calls.getDeviceList(callState, count);
            if (list.address() == 0) {
                return withoutList(CallState.errno(callState));
            }
            try {
                List<DeviceInfo> devices = read(calls, list, count.get(ValueLayout.JAVA_INT, 0));
                return new DeviceListing(
                        devices,
                        devices.isEmpty()
                                ? "the kernel has no RDMA device; load the driver of the card (" + SOFT_ROCE + ")"
                                : "");
            } finally {
                calls.freeDeviceList(list);
            }
        }
    }

    /**
     * Returns an empty device list for {@code ENOSYS}, which libibverbs reports if the kernel has no RDMA support. Throws a
     * {@code VerbsException} for every other errno.
     */
    static DeviceListing withoutList(int number) throws VerbsException {
        Errno errno = Errno.of(number);
        if (errno == Errno.ENOSYS) {
            return new DeviceListing(
                    List.of(),
                    VERB + " failed with ENOSYS: the kernel has no RDMA; load its modules (modprobe ib_uverbs; "
                            + SOFT_ROCE + ")");
        }
        String cure = switch (errno) {
            case EPERM, EACCES ->
                "this user has no permission; grant access to /sys/class/infiniband_verbs and "
                        + "/dev/infiniband, which a container must get from the host";
            default -> "the library reports no reason; see the kernel log (dmesg)";
        };
        throw new VerbsException(
                errno,
                VERB,
                "the devices cannot be listed, errno " + number + " (" + errno.description() + "); " + cure);
    }

    // The sizes passed to `reinterpret` are known: libibverbs reports the length of the list, and verbs.h defines
    // `struct ibv_device`.
    @SuppressWarnings("restricted")
    private static List<DeviceInfo> read(VerbsCalls calls, MemorySegment list, int count) {
        MemorySegment pointers = list.reinterpret(count * ValueLayout.ADDRESS.byteSize());
        List<DeviceInfo> devices = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            MemorySegment device = pointers.getAtIndex(ValueLayout.ADDRESS, i).reinterpret(IbvDevice.LAYOUT.byteSize());
            devices.add(new DeviceInfo(
                    name(calls, device), guid(calls.getDeviceGuid(device)), nodeType(IbvDevice.nodeType(device))));
        }
        return List.copyOf(devices);
    }

    @SuppressWarnings("restricted") // The segment has the size of the C array.
    public static String name(VerbsCalls calls, MemorySegment device) {
        return text(calls.getDeviceName(device).reinterpret(IbvDevice.NAME_LENGTH));
    }

    /**
     * Reads a name. The kernel allows an administrator to use all bytes except zero in a device name. A backslash, and
     * each byte that is not printable ASCII, is replaced by {@code \xNN}, so that different device names stay
     * different, and contain no terminal control characters.
     */
    static String text(MemorySegment name) {
        StringBuilder text = new StringBuilder(IbvDevice.NAME_LENGTH);
        for (long i = 0; i < name.byteSize(); i++) {
            int character = Byte.toUnsignedInt(name.get(ValueLayout.JAVA_BYTE, i));
            if (character == 0) {
                break;
            }
            if (character > ' ' && character < 0x7F && character != '\\') {
                text.append((char) character);
            } else {
                text.append(String.format("\\x%02x", character));
            }
        }
        return text.toString();
    }

    static Guid guid(long inNetworkOrder) {
        boolean big = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
        return new Guid(big ? inNetworkOrder : Long.reverseBytes(inNetworkOrder));
    }

    /**
     * Returns the node type, or UNKNOWN for a code that a later kernel has defined. A device of type UNKNOWN is still
     * listed.
     */
    private static NodeType nodeType(int code) {
        for (NodeType type : NodeType.values()) {
            if (type.code() == code) {
                return type;
            }
        }
        return NodeType.UNKNOWN;
    }
}
