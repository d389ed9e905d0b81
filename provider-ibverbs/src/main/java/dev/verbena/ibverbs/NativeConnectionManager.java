package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.verbena.cm.CmCapability;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.WallRuntime;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.IbvDevice;
import dev.verbena.ibverbs.struct.RdmaEventChannel;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** librdmacm. Its devices are contexts of its own, one for each device, which stay open. */
final class NativeConnectionManager implements ConnectionManager {
    /** The name that a linked program carries. */
    static final String SONAME = "librdmacm.so.1";

    /** Which packages bring it. */
    static final String PACKAGES = "package librdmacm1 (Debian, Ubuntu) or librdmacm (Fedora, RHEL)";

    private static final Set<CmCapability> CAPABILITIES =
            Collections.unmodifiableSet(EnumSet.allOf(CmCapability.class));

    private final IbvLibrary library;
    private final CmCalls calls;
    private final WallRuntime runtime;
    private final Map<Long, NativeConnectionId> ids = new ConcurrentHashMap<>();
    private final Map<Long, NativeDevice> devices = new HashMap<>();
    private @Nullable EventLoop loop;

    NativeConnectionManager(IbvLibrary library, CmCalls calls, WallRuntime runtime) {
        this.library = library;
        this.calls = calls;
        this.runtime = runtime;
    }

    @Override
    public Set<CmCapability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    @SuppressWarnings("restricted") // The size is the header's.
    public EventChannel createEventChannel() throws VerbsException {
        MemorySegment channel = Outcome.make(
                        "rdma_create_event_channel",
                        "making an event channel",
                        "load the kernel's module (modprobe rdma_ucm)",
                        calls::createEventChannel)
                .reinterpret(RdmaEventChannel.LAYOUT.byteSize());
        NativeEventChannel made = new NativeEventChannel(this, channel, new Descriptors(library.system()));
        loop().add(made);
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
                    "making an id of port space " + portSpace,
                    "use another port space",
                    callState -> calls.createId(callState, pointer, id, MemorySegment.NULL, portSpace.code()));
            return adopt(id.get(ADDRESS, 0), own, portSpace, context);
        } finally {
            own.handle().exit();
        }
    }

    /** Takes over an id that the library made. */
    NativeConnectionId adopt(
            MemorySegment id, NativeEventChannel channel, PortSpace portSpace, @Nullable Object context) {
        NativeConnectionId made = new NativeConnectionId(this, id, channel, portSpace, context);
        ids.put(id.address(), made);
        channel.dependents().add(made);
        return made;
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

    void forget(MemorySegment id) {
        ids.remove(id.address());
    }

    /** The device of a context that librdmacm opened. */
    @SuppressWarnings("restricted") // The sizes are the header's.
    synchronized NativeDevice device(MemorySegment context) throws VerbsException {
        NativeDevice known = devices.get(context.address());
        if (known == null) {
            MemorySegment device = context.reinterpret(IbvContext.LAYOUT.byteSize())
                    .get(ADDRESS, 0)
                    .reinterpret(IbvDevice.LAYOUT.byteSize());
            String name = DeviceListing.name(library.verbs(), device);
            boolean iwarp = IbvDevice.transportType(device) == IbvDevice.TRANSPORT_IWARP;
            known = new NativeDevice(name, library, runtime, context, iwarp, pointer -> {
                throw new VerbsException(
                        Errno.EBUSY,
                        "ibv_close_device",
                        "device " + name
                                + " was opened by the connection manager, which keeps it; close your own objects only");
            });
            devices.put(context.address(), known);
        }
        return known;
    }

    synchronized EventLoop loop() throws VerbsException {
        EventLoop running = loop;
        if (running == null) {
            running = new EventLoop("rdmacm", new Descriptors(library.system()));
            running.start();
            loop = running;
        }
        return running;
    }

    CmCalls calls() {
        return calls;
    }
}
