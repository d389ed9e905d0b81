// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.Collectors;

/**
 * Opens a device by binding a connection id to an IP address of the device. After the bind, the connection id contains
 * the device's context. This context is valid until the connection id is destroyed.
 */
final class DeviceOpening {
    private static final String BIND = "rdma_bind_addr";

    private final DisniLibrary library;
    private final DeviceFiles files;
    private final WallRuntime runtime;

    DeviceOpening(DisniLibrary library, DeviceFiles files, WallRuntime runtime) {
        this.library = library;
        this.files = files;
        this.runtime = runtime;
    }

    DisniDevice open(String name) throws VerbsException {
        if (!files.has(name)) {
            String known = files.devices().stream().map(DeviceInfo::name).collect(Collectors.joining(", "));
            throw new VerbsException(
                    Errno.ENODEV,
                    BIND,
                    "there is no device '" + name + "'; "
                            + (known.isEmpty() ? "the kernel has no RDMA device" : "there are: " + known));
        }
        InetAddress address = files.addressOf(name)
                .orElseThrow(() -> new VerbsException(
                        Errno.EADDRNOTAVAIL,
                        BIND,
                        "device " + name + " has no IPv4 address, which DiSNI needs; assign one to its interface"));
        RdmaCm cm = library.cm();
        RdmaEventChannel channel = DisniLibrary.make(
                "rdma_create_event_channel", "creating an event channel for device " + name, cm::createEventChannel);
        boolean opened = false;
        try {
            RdmaCmId id = DisniLibrary.make(
                    "rdma_create_id",
                    "creating an id for device " + name,
                    () -> cm.createId(channel, RdmaCm.RDMA_PS_TCP));
            try {
                DisniLibrary.perform(
                        BIND,
                        "binding an id to " + address + " of device " + name,
                        () -> cm.bindAddr(id, new InetSocketAddress(address, 0)));
                IbvContext context = DisniLibrary.make(BIND, "reading the context of device " + name, id::getVerbs);
                DisniDevice device = new DisniDevice(library, files, runtime, name, context, new Ending(id, channel));
                opened = true;
                return device;
            } finally {
                if (!opened) {
                    destroy(id);
                }
            }
        } finally {
            if (!opened) {
                destroy(channel);
            }
        }
    }

    /**
     * Destroys the connection id, and then the event channel. If a call of {@link #end} fails, the next call of {@code
     * end} destroys only the objects that still exist.
     */
    private final class Ending implements UseGuard.Ending {
        private final RdmaCmId id;
        private final RdmaEventChannel channel;
        private boolean idDestroyed;

        Ending(RdmaCmId id, RdmaEventChannel channel) {
            this.id = id;
            this.channel = channel;
        }

        @Override
        public void end() throws VerbsException {
            if (!idDestroyed) {
                destroy(id);
                idDestroyed = true;
            }
            destroy(channel);
        }
    }

    private void destroy(RdmaCmId id) throws VerbsException {
        DisniLibrary.destroy(
                "rdma_destroy_id",
                "closing the id of a device",
                () -> library.cm().destroyCmId(id));
    }

    private void destroy(RdmaEventChannel channel) throws VerbsException {
        DisniLibrary.destroy(
                "rdma_destroy_event_channel",
                "closing the event channel of a device",
                () -> library.cm().destroyEventChannel(channel));
    }
}
