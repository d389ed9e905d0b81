package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.SystemPage;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.IbvPd;
import dev.verbena.ibverbs.struct.IbvValuesEx;
import dev.verbena.spi.ProviderArena;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A context of the library. */
final class NativeDevice implements Device {
    private static final String CLOSE = "ibv_close_device";
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final String name;
    private final IbvLibrary library;
    private final WallRuntime runtime;
    private final NativeHandle handle;
    private final Optional<NativeHandle.Destruction> destruction;
    private final DeviceFacts facts;
    private volatile @Nullable Set<Capability> capabilities;
    private final PortCalls portCalls;
    private final PortFacts ports;
    private final DataCalls data;
    private final WindowCalls windows;
    private final EventLoop loop;
    private final NativeAsyncEvents asyncEvents;
    private final HandlerChannel handlerChannel;
    private final QueueTable queues = new QueueTable();
    private final Dependents dependents = new Dependents();

    /**
     * Takes a context over.
     *
     * @param context a {@code struct ibv_context}
     * @param destruction closes it; empty for a context of the connection manager, which keeps it
     */
    @SuppressWarnings("restricted") // The size is the header's.
    NativeDevice(
            String name,
            IbvLibrary library,
            WallRuntime runtime,
            MemorySegment context,
            boolean iwarp,
            Optional<NativeHandle.Destruction> destruction)
            throws VerbsException {
        this.name = name;
        this.library = library;
        this.runtime = runtime;
        this.destruction = destruction;
        MemorySegment readable = context.reinterpret(IbvContext.LAYOUT.byteSize());
        handle = new NativeHandle("device " + name, readable);
        facts = DeviceFacts.ask(library, readable, name, iwarp);
        portCalls = library.tables().ports(readable);
        ports = new PortFacts(
                library.contexts(),
                portCalls,
                readable,
                name,
                facts.attributes().physicalPortCount());
        data = library.tables().data(readable);
        windows = library.tables().windows(readable);
        Descriptors descriptors = new Descriptors(library.system());
        asyncEvents = new NativeAsyncEvents(this, readable, descriptors);
        handlerChannel = new HandlerChannel(this, descriptors);
        // Last, since a failure after it would leave the thread running.
        loop = EventLoop.started(name, descriptors);
        loop.add(asyncEvents.descriptor(), asyncEvents);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        requireOpen();
        return facts.attributes();
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> known = capabilities;
        requireOpen();
        return known == null ? probe() : known;
    }

    /** Probes once, when the set, or one of the probed capabilities, is first read. */
    private synchronized Set<Capability> probe() {
        Set<Capability> known = capabilities;
        if (known == null) {
            MemorySegment context = handle.enter();
            try {
                known = facts.with(CapabilityProbe.ask(library, context, facts.extendedOperations()));
                capabilities = known;
            } finally {
                handle.exit();
            }
        }
        return known;
    }

    @Override
    public long queryHcaClock() throws VerbsException {
        String verb = "ibv_query_rt_values_ex";
        require(Capability.COMPLETION_TIMESTAMP, verb);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocate(IbvValuesEx.LAYOUT);
            values.set(JAVA_INT, IbvValuesEx.COMP_MASK, IbvValuesEx.RAW_CLOCK);
            return whileOpen(context -> {
                Outcome.check(
                        verb,
                        "reading the clock of " + this,
                        "look into the kernel's log",
                        callState -> portCalls.queryRtValues(callState, context, values));
                return values.get(JAVA_LONG, IbvValuesEx.RAW_CLOCK_SECONDS) * NANOS_PER_SECOND
                        + values.get(JAVA_LONG, IbvValuesEx.RAW_CLOCK_NANOSECONDS);
            });
        }
    }

    @Override
    public PortAttributes queryPort(int port) throws VerbsException {
        requirePort(port, "ibv_query_port");
        return whileOpen(context -> ports.queryPort(port));
    }

    @Override
    public List<GidEntry> gidTable(int port) throws VerbsException {
        requirePort(port, "ibv_query_gid_table");
        return whileOpen(context -> ports.gidTable(port));
    }

    @Override
    public int queryPkey(int port, int index) throws VerbsException {
        requirePort(port, "ibv_query_pkey");
        return whileOpen(context -> ports.queryPkey(port, index));
    }

    @Override
    @SuppressWarnings("restricted") // The size is the header's.
    public ProtectionDomain allocatePd() throws VerbsException {
        return whileOpen(context -> {
            MemorySegment pd = Outcome.make(
                    "ibv_alloc_pd",
                    "allocating a protection domain of " + this,
                    "close domains that are not needed",
                    callState -> library.memory().allocPd(callState, context));
            NativePd made = new NativePd(this, pd.reinterpret(IbvPd.LAYOUT.byteSize()));
            dependents.add(made);
            return made;
        });
    }

    @Override
    public VerbsArena newArena() {
        handle.enter();
        try {
            ProviderArena arena = new ProviderArena(name, SystemPage.size(), dependents::remove);
            dependents.add(arena);
            return arena;
        } finally {
            handle.exit();
        }
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        require(Capability.COMPLETION_CHANNEL, "ibv_create_comp_channel");
        return whileOpen(context -> {
            NativeChannel made = new NativeChannel(this, new Descriptors(library.system()));
            made.watch();
            dependents.add(made);
            return made;
        });
    }

    @Override
    public CompletionQueue createCq(CqInitAttributes attributes) throws VerbsException {
        return whileOpen(context -> {
            NativeCq made = NativeCq.create(this, attributes);
            dependents.add(made);
            return made;
        });
    }

    @Override
    public AsyncEventChannel asyncEvents() {
        requireOpen();
        return asyncEvents;
    }

    @Override
    public <T extends DeviceExtension> Optional<T> extension(Class<T> type) {
        Objects.requireNonNull(type, "type");
        requireOpen();
        return Optional.empty();
    }

    @Override
    public VerbsRuntime runtime() {
        requireOpen();
        return runtime;
    }

    /**
     * The steps that may fail precede the steps that cannot be undone, so that a device that refuses to be closed stays
     * usable.
     */
    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle.close(context -> {
            NativeHandle.Destruction closing = destruction.orElseThrow(this::keptByConnectionManager);
            dependents.requireNone(CLOSE, this);
            handlerChannel.destroy();
            closing.destroy(context);
        });
        if (closedNow) {
            loop.close();
            asyncEvents.end();
        }
    }

    /** The library has freed the context, so no call may use it any more. */
    void abandon() throws VerbsException {
        if (handle.close(freed -> {})) {
            loop.close();
            asyncEvents.end();
        }
    }

    private VerbsException keptByConnectionManager() {
        return new VerbsException(
                Errno.EBUSY,
                CLOSE,
                this + " was opened by the connection manager, which keeps it; close your own objects only");
    }

    @Override
    public String toString() {
        return "device " + name;
    }

    /** Something to do with the context while it cannot be closed. */
    interface Use<T> {
        T with(MemorySegment context) throws VerbsException;
    }

    <T> T whileOpen(Use<T> use) throws VerbsException {
        MemorySegment context = handle.enter();
        try {
            return use.with(context);
        } finally {
            handle.exit();
        }
    }

    PortCalls portCalls() {
        return portCalls;
    }

    private void requirePort(int port, String verb) throws VerbsException {
        int count = attributes().physicalPortCount();
        if (port < 1 || port > count) {
            throw Refusals.invalid(verb, "there is no port " + port + " on " + this + "; use 1 to " + count);
        }
    }

    private void requireOpen() {
        if (handle.isClosed()) {
            throw handle.closed();
        }
    }

    NativeHandle handle() {
        return handle;
    }

    IbvLibrary library() {
        return library;
    }

    DataCalls data() {
        return data;
    }

    WindowCalls windows() {
        return windows;
    }

    EventLoop loop() {
        return loop;
    }

    HandlerChannel handlerChannel() {
        return handlerChannel;
    }

    QueueTable queues() {
        return queues;
    }

    NativeAsyncEvents events() {
        return asyncEvents;
    }

    Dependents dependents() {
        return dependents;
    }

    boolean has(Capability capability) {
        if (capability == Capability.ATOMIC_WRITE || capability == Capability.FLUSH) {
            // Without the claim of the kernel's driver no scratch object is needed.
            return facts.extendedOperations().contains(capability)
                    && capabilities().contains(capability);
        }
        return CapabilityProbe.SUBJECTS.contains(capability)
                ? capabilities().contains(capability)
                : facts.capabilities().contains(capability);
    }

    int maxReadEntries() {
        return facts.attributes().maxSgeRd();
    }
}
