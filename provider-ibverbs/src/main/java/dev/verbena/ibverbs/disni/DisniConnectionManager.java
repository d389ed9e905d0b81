// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.verbena.cm.CmCapability;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The connection manager of DiSNI, which supports only RC over IPv4 and has no {@link CmCapability}. */
final class DisniConnectionManager implements ConnectionManager {
    private static final String CREATE = "rdma_create_id";
    private static final Set<CmCapability> NONE = Collections.unmodifiableSet(EnumSet.noneOf(CmCapability.class));

    private final DisniLibrary library;
    private final DeviceFiles files;
    private final WallRuntime runtime;
    private final Map<RdmaCmId, DisniConnectionId> ids = new ConcurrentHashMap<>();
    private final Map<Integer, DisniDevice> devices = new HashMap<>();

    DisniConnectionManager(DisniLibrary library, DeviceFiles files, WallRuntime runtime) {
        this.library = library;
        this.files = files;
        this.runtime = runtime;
    }

    @Override
    public Set<CmCapability> capabilities() {
        return NONE;
    }

    @Override
    public EventChannel createEventChannel() throws VerbsException {
        RdmaEventChannel channel = DisniLibrary.make(
                "rdma_create_event_channel", "creating an event channel", library.cm()::createEventChannel);
        return new DisniEventChannel(this, channel).started();
    }

    /** Creates an id. Fails with EOPNOTSUPP for port spaces other than TCP, because libdisni always uses TCP. */
    @Override
    public ConnectionId createId(EventChannel channel, PortSpace portSpace, @Nullable Object context)
            throws VerbsException {
        switch (portSpace) {
            case TCP -> {}
            case IB -> throw DisniLibrary.absent(CREATE, "port space IB (" + CmCapability.IB_PORT_SPACE + ")");
            case UDP, IPOIB ->
                throw DisniLibrary.absent(CREATE, "port space " + portSpace + " (" + CmCapability.DATAGRAM + ")");
        }
        if (!(channel instanceof DisniEventChannel own) || own.manager() != this) {
            throw Refusals.invalid(CREATE, channel + " is no event channel of this connection manager");
        }
        RdmaCmId id = own.withChannel(raw ->
                DisniLibrary.make(CREATE, "creating an id", () -> library.cm().createId(raw, RdmaCm.RDMA_PS_TCP)));
        return adopt(id, own, context);
    }

    /** Records a connection id that DiSNI created. */
    DisniConnectionId adopt(RdmaCmId id, DisniEventChannel channel, @Nullable Object context) {
        DisniConnectionId made = new DisniConnectionId(this, id, channel, context);
        ids.put(id, made);
        channel.dependents().add(made);
        return made;
    }

    /** Returns the connection id of a CM event, or null if the id was closed, or the event has no id. */
    @Nullable DisniConnectionId find(@Nullable RdmaCmId id) {
        return id == null ? null : ids.get(id);
    }

    void forget(RdmaCmId id) {
        ids.remove(id);
    }

    /**
     * Returns the device of a connection id. To find the device, this method uses the context's file descriptor. If a
     * device is removed, its context may be closed, and the same file descriptor may then belong to another device with
     * the same name.
     */
    synchronized DisniDevice device(RdmaCmId id) throws VerbsException {
        String verb = "rdma_cm_id.verbs";
        IbvContext context = DisniLibrary.make(verb, "reading the context of an id", id::getVerbs);
        int descriptor = DisniLibrary.make(verb, "asking a context for its descriptor", context::getCmd_fd);
        Optional<DeviceFiles.Present> now = files.deviceOf(descriptor);
        DisniDevice known = devices.get(descriptor);
        // sysfs lacks a removed device, even if the application has not yet closed the device's connection ids.
        if (known == null || now.isPresent() && !known.context().is(now.get())) {
            String name = now.map(DeviceFiles.Present::name)
                    .orElseThrow(() -> new VerbsException(
                            Errno.ENODEV, verb, "the device of descriptor " + descriptor + " is not below /sys"));
            known = new DisniDevice(library, files, runtime, name, context, () -> {
                throw new VerbsException(
                        Errno.EBUSY,
                        "ibv_close_device",
                        "device " + name
                                + " was opened by the connection manager, which owns it; close your own objects only");
            });
            devices.put(descriptor, known);
        }
        return known;
    }

    RdmaCm cm() {
        return library.cm();
    }

    DeviceFiles files() {
        return files;
    }
}
