// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.VerbsCalls;
import dev.verbena.ibverbs.struct.IbvDevice;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.stream.Collectors;

/** Opens a device by its name ({@code ibv_open_device}(3)). */
public final class DeviceOpening {
    private static final String OPEN = "ibv_open_device";

    private final IbvLibrary library;
    private final WallRuntime runtime;

    public DeviceOpening(IbvLibrary library, WallRuntime runtime) {
        this.library = library;
        this.runtime = runtime;
    }

    @SuppressWarnings("restricted") // The lengths passed to `reinterpret` are from libibverbs and verbs.h.
    public Device open(String name) throws VerbsException {
        VerbsCalls calls = library.verbs();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment list = calls.getDeviceList(callState, count);
            if (list.address() == 0) {
                throw absent(name, DeviceListing.withoutList(CallState.errno(callState)));
            }
            try {
                int devices = count.get(ValueLayout.JAVA_INT, 0);
                MemorySegment pointers = list.reinterpret(devices * ValueLayout.ADDRESS.byteSize());
                for (int i = 0; i < devices; i++) {
                    MemorySegment device =
                            pointers.getAtIndex(ValueLayout.ADDRESS, i).reinterpret(IbvDevice.LAYOUT.byteSize());
                    if (DeviceListing.name(calls, device).equals(name)) {
                        return open(name, device);
                    }
                }
            } finally {
                calls.freeDeviceList(list);
            }
        }
        throw absent(name, DeviceListing.take(calls));
    }

    private Device open(String name, MemorySegment device) throws VerbsException {
        VerbsCalls calls = library.verbs();
        // ibv_fork_init excludes registered memory from child processes. Without ibv_fork_init, copy-on-write after a
        // fork could give this process new pages, and the device would still access the old pages. The result is
        // ignored. The first call of `ibv_fork_init` fails if other code of this process has already registered memory;
        // a repeated call has no effect.
        calls.forkInit();
        MemorySegment context = Outcome.make(
                OPEN, "opening device " + name, "see the kernel log", callState -> calls.openDevice(callState, device));
        boolean iwarp = IbvDevice.transportType(device) == IbvDevice.TRANSPORT_IWARP;
        boolean opened = false;
        try {
            Device made = new NativeDevice(name, library, runtime, context, iwarp, Optional.of(this::close));
            opened = true;
            return made;
        } finally {
            if (!opened) {
                close(context);
            }
        }
    }

    private void close(MemorySegment context) throws VerbsException {
        Outcome.destroy(
                "ibv_close_device",
                "closing a device",
                "close the objects that were created from it first",
                callState -> library.verbs().closeDevice(callState, context));
    }

    private static VerbsException absent(String name, DeviceListing listing) {
        String known = listing.devices().stream().map(DeviceInfo::name).collect(Collectors.joining(", "));
        return new VerbsException(
                Errno.ENODEV,
                OPEN,
                "there is no device '" + name + "'; " + (known.isEmpty() ? listing.remark() : "there are: " + known));
    }
}
