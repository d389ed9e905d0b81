// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.cm.CmCapability;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.device.DeviceListing;
import dev.verbena.ibverbs.device.NativeDevice;
import dev.verbena.ibverbs.event.Descriptors;
import dev.verbena.ibverbs.event.EventLoop;
import dev.verbena.ibverbs.internal.CmEventQueue;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.Undo;
import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.IbvDevice;
import dev.verbena.ibverbs.struct.RdmaEventChannel;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A connection manager that calls librdmacm. librdmacm opens its own device context for each device, and never closes it.
 */
public final class NativeConnectionManager implements ConnectionManager {
    public static final String SONAME = "librdmacm.so.1";

    /** The packages of Linux distributions that contain librdmacm. */
    public static final String PACKAGES = "package librdmacm1 (Debian, Ubuntu) or librdmacm (Fedora, RHEL)";

    private static final Set<CmCapability> CAPABILITIES =
            Collections.unmodifiableSet(EnumSet.allOf(CmCapability.class));

    private final IbvLibrary library;
    private final CmCalls calls;
    private final WallRuntime runtime;
    private final Map<Long, NativeConnectionId> ids = new ConcurrentHashMap<>();

    /** The lock for changing the event channel of a connection id, and for queueing an event on that channel. */
    private final Object routing = new Object();

    private final Map<Long, Opened> devices = new HashMap<>();
    private @Nullable EventLoop loop;

    /**
     * A device context of librdmacm, with its {@code struct ibv_device}. If a device context at the same address has
     * another {@code struct ibv_device}, librdmacm has opened a new device context.
     */
    private record Opened(MemorySegment device, NativeDevice opened) {}

    public NativeConnectionManager(IbvLibrary library, CmCalls calls, WallRuntime runtime) {
        this.library = library;
        this.calls = calls;
        this.runtime = runtime;
    }

    @Override
    public Set<CmCapability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    public EventChannel createEventChannel() throws VerbsException {
        MemorySegment channel = Outcome.make(
                        "rdma_create_event_channel",
                        "creating an event channel",
                        "load the kernel's module (modprobe rdma_ucm)",
                        calls::createEventChannel)
                .reinterpret(RdmaEventChannel.LAYOUT.byteSize());
        NativeEventChannel made = new NativeEventChannel(this, channel);
        Undo.onFailure(() -> made.watch(new Descriptors(library.system())), () -> calls.destroyEventChannel(channel));
        return made;
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace portSpace, @Nullable Object context)
            throws VerbsException {
        NativeEventChannel own = own(channel, "rdma_create_id");
        MemorySegment pointer = own.handle().enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ADDRESS);
            Outcome.check(
                    "rdma_create_id",
                    "creating an id of port space " + portSpace,
                    "use another port space",
                    callState -> calls.createId(callState, pointer, id, MemorySegment.NULL, portSpace.code()));
            return adopt(new NativeConnectionId(this, id.get(ADDRESS, 0), own, portSpace, context));
        } finally {
            own.handle().exit();
        }
    }

    /** Records a connection id that librdmacm created. */
    NativeConnectionId adopt(NativeConnectionId made) {
        ids.put(made.handlePointer().address(), made);
        made.channel().dependents().add(made);
        return made;
    }

    /** Queues an event on the current event channel of its connection id. */
    void deliver(NativeCmEvent event) {
        CmEventQueue<NativeCmEvent> events;
        synchronized (routing) {
            events = event.id().channel().events();
            events.enqueue(event);
        }
        events.handOver();
    }

    /**
     * Moves a connection id to an event channel. Pending events of the connection id move from the old to the new event
     * channel, and stay ahead of later events.
     */
    void route(NativeConnectionId id, NativeEventChannel to) {
        synchronized (routing) {
            id.channel().events().remove(event -> event.id().equals(id)).forEach(to.events()::enqueue);
            id.setChannel(to);
        }
    }

    NativeEventChannel own(EventChannel channel, String verb) throws VerbsException {
        if (channel instanceof NativeEventChannel own && own.manager() == this) {
            return own;
        }
        throw Refusals.invalid(verb, channel + " is no event channel of this connection manager");
    }

    @Nullable NativeConnectionId find(MemorySegment id) {
        return ids.get(id.address());
    }

    /**
     * Removes a destroyed connection id from the table of connection ids. This method does not remove a new connection id
     * that has the address of the destroyed connection id.
     */
    void forget(NativeConnectionId closed) {
        ids.remove(closed.handlePointer().address(), closed);
    }

    /** Returns the device whose device context librdmacm opened. */
    @SuppressWarnings("restricted") // verbs.h defines both structures.
    public synchronized NativeDevice device(MemorySegment context) throws VerbsException {
        MemorySegment device = context.reinterpret(IbvContext.LAYOUT.byteSize())
                .get(ADDRESS, 0)
                .reinterpret(IbvDevice.LAYOUT.byteSize());
        Opened known = devices.get(context.address());
        if (known != null && known.device().equals(device)) {
            return known.opened();
        }
        if (known != null) {
            known.opened().abandon();
        }
        hold();
        String name = DeviceListing.name(library.verbs(), device);
        boolean iwarp = IbvDevice.transportType(device) == IbvDevice.TRANSPORT_IWARP;
        NativeDevice opened = new NativeDevice(name, library, runtime, context, iwarp, Optional.empty());
        devices.put(context.address(), new Opened(device, opened));
        return opened;
    }

    /**
     * Prevents librdmacm from closing its device contexts. Without a call of {@code rdma_get_devices}, librdmacm closes the
     * device context of a removed device when the device's last connection id is destroyed ({@code ucma_put_device}). At
     * that time, the application may still use verbs objects of this device context. {@code rdma_get_devices} fails, for
     * example, if the process is not permitted to open a device. After a failed call, librdmacm may free a device context
     * and allocate another one at the same address.
     */
    private void hold() {
        try (Arena arena = Arena.ofConfined()) {
            calls.getDevices(CallState.allocate(arena), arena.allocate(JAVA_INT));
        }
    }

    synchronized EventLoop loop() throws VerbsException {
        EventLoop running = loop;
        if (running == null) {
            running = EventLoop.started("rdmacm", new Descriptors(library.system()));
            loop = running;
        }
        return running;
    }

    CmCalls calls() {
        return calls;
    }
}
