// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.event.CqEvents;
import dev.verbena.ibverbs.event.Descriptors;
import dev.verbena.ibverbs.event.EventLoop;
import dev.verbena.ibverbs.event.NativeAsyncEvents;
import dev.verbena.ibverbs.event.NativeChannel;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.queue.CqCreation;
import dev.verbena.ibverbs.queue.HandlerChannel;
import dev.verbena.ibverbs.queue.NativeCq;
import dev.verbena.ibverbs.struct.IbvPd;
import dev.verbena.ibverbs.struct.IbvValuesEx;
import dev.verbena.spi.ProviderArena;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
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

/** A device context of libibverbs. */
public final class NativeDevice implements Device {
    private static final String CLOSE = "ibv_close_device";
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final String name;
    private final WallRuntime runtime;
    private final NativeContext context;
    private final Optional<NativeHandle.Destruction> destruction;
    private final DeviceFacts facts;
    private volatile @Nullable Set<Capability> capabilities;
    private final PortFacts ports;
    private final EventLoop loop;
    private final NativeAsyncEvents asyncEvents;
    private final HandlerChannel handlerChannel;
    private final CqCreation completionQueues;
    private final QueueTable queues;

    /**
     * Creates the device for an open {@code struct ibv_context}. The method {@link #close} calls {@code destruction}, a
     * function that closes the {@code ibv_context}. If the connection manager owns the context, {@code destruction} is
     * empty, and {@link #close} fails with {@code EBUSY}.
     */
    public NativeDevice(
            String name,
            IbvLibrary library,
            WallRuntime runtime,
            MemorySegment pointer,
            boolean iwarp,
            Optional<NativeHandle.Destruction> destruction)
            throws VerbsException {
        this.name = name;
        this.runtime = runtime;
        this.destruction = destruction;
        context = new NativeContext(name, library, pointer);
        MemorySegment readable = context.handle().pointer();
        facts = DeviceFacts.ask(library, readable, name, iwarp);
        ports = new PortFacts(
                library.contexts(),
                context.ports(),
                readable,
                name,
                facts.attributes().physicalPortCount());
        Descriptors descriptors = new Descriptors(library.system());
        asyncEvents = new NativeAsyncEvents(context.toString());
        queues = new QueueTable(asyncEvents);
        AsyncEventReader reader = new AsyncEventReader(this, context, queues, asyncEvents, descriptors);
        // The event thread starts last, because a later failure would leak the thread.
        loop = EventLoop.started(name, descriptors);
        loop.add(reader.descriptor(), reader);
        handlerChannel = new HandlerChannel(context, queues, loop, descriptors);
        completionQueues = new CqCreation(this, context, handlerChannel, queues);
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

    /** Runs {@link CapabilityProbe} only if no device attribute shows whether the device has the capability. */
    @Override
    public void require(Capability capability, String verb) throws CapabilityException {
        requireOpen();
        if (!has(capability)) {
            throw new CapabilityException(capability, verb, name);
        }
    }

    /**
     * Runs {@link CapabilityProbe} when the set of capabilities, or a capability in {@code facts.claims()}, is first read.
     */
    private synchronized Set<Capability> probe() {
        Set<Capability> known = capabilities;
        if (known == null) {
            MemorySegment open = context.handle().enter();
            try {
                known = facts.with(CapabilityProbe.confirm(context.library(), open, facts.claims()));
                capabilities = known;
            } finally {
                context.handle().exit();
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
            return context.whileOpen(open -> {
                Outcome.check(
                        verb,
                        "reading the clock of " + this,
                        "see the kernel log",
                        callState -> context.ports().queryRtValues(callState, open, values));
                return values.get(JAVA_LONG, IbvValuesEx.RAW_CLOCK_SECONDS) * NANOS_PER_SECOND
                        + values.get(JAVA_LONG, IbvValuesEx.RAW_CLOCK_NANOSECONDS);
            });
        }
    }

    @Override
    public PortAttributes queryPort(int port) throws VerbsException {
        requirePort(port, "ibv_query_port");
        return context.whileOpen(open -> ports.queryPort(port));
    }

    @Override
    public List<GidEntry> gidTable(int port) throws VerbsException {
        requirePort(port, "ibv_query_gid_table");
        return context.whileOpen(open -> ports.gidTable(port));
    }

    @Override
    public int queryPkey(int port, int index) throws VerbsException {
        requirePort(port, "ibv_query_pkey");
        return context.whileOpen(open -> ports.queryPkey(port, index));
    }

    @Override
    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    public ProtectionDomain allocatePd() throws VerbsException {
        return context.whileOpen(open -> {
            MemorySegment pd = Outcome.make(
                    "ibv_alloc_pd",
                    "allocating a protection domain of " + this,
                    "close domains that are not needed",
                    callState -> context.library().memory().allocPd(callState, open));
            NativePd made = new NativePd(this, context, queues, this::has, pd.reinterpret(IbvPd.LAYOUT.byteSize()));
            context.dependents().add(made);
            return made;
        });
    }

    @Override
    public VerbsArena newArena() {
        context.handle().enter();
        try {
            ProviderArena arena =
                    new ProviderArena(name, facts.attributes().systemPageSize(), context.dependents()::remove);
            context.dependents().add(arena);
            return arena;
        } finally {
            context.handle().exit();
        }
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        require(Capability.COMPLETION_CHANNEL, "ibv_create_comp_channel");
        return context.whileOpen(open -> {
            Descriptors descriptors = new Descriptors(context.library().system());
            NativeChannel made = new NativeChannel(context, loop, CqEvents.create(context, queues, descriptors));
            made.watch();
            context.dependents().add(made);
            return made;
        });
    }

    @Override
    public CompletionQueue createCq(CqInitAttributes attributes) throws VerbsException {
        return context.whileOpen(open -> {
            NativeCq made = completionQueues.create(attributes);
            context.dependents().add(made);
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

    /** Closes the device. The steps that may fail come first. If closing the device fails, the device stays usable. */
    @Override
    public void close() throws VerbsException {
        end(open -> {
            NativeHandle.Destruction closing = destruction.orElseThrow(this::keptByConnectionManager);
            context.dependents().requireNone(CLOSE, this);
            handlerChannel.destroy();
            closing.destroy(open);
        });
    }

    /**
     * Closes the device after librdmacm has freed the context and has opened a new context at the same address. librdmacm
     * does not free the device's completion channel, so this method destroys the channel. The call of {@code
     * ibv_destroy_comp_channel} locks the mutex of the new context, which has the freed context's address.
     */
    public void abandon() throws VerbsException {
        end(freed -> handlerChannel.destroy());
    }

    private void end(NativeHandle.Destruction closing) throws VerbsException {
        if (context.handle().close(closing)) {
            loop.close();
            asyncEvents.end();
        }
    }

    private VerbsException keptByConnectionManager() {
        return new VerbsException(
                Errno.EBUSY,
                CLOSE,
                this + " was opened by the connection manager, which owns it; close your own objects only");
    }

    @Override
    public String toString() {
        return context.toString();
    }

    private void requirePort(int port, String verb) throws VerbsException {
        int count = attributes().physicalPortCount();
        if (port < 1 || port > count) {
            throw Refusals.invalid(verb, "there is no port " + port + " on " + this + "; use 1 to " + count);
        }
    }

    private void requireOpen() {
        if (context.handle().isClosed()) {
            throw context.handle().closed();
        }
    }

    boolean has(Capability capability) {
        return facts.capabilities().contains(capability)
                || (facts.claims().contains(capability) && capabilities().contains(capability));
    }
}
