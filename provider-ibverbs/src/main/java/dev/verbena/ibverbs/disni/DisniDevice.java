package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.internal.SystemPage;
import dev.verbena.ibverbs.internal.UseGuard;
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
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A context that librdmacm opened, as DiSNI shows it. */
final class DisniDevice implements Device {
    private final DisniLibrary library;
    private final WallRuntime runtime;
    private final String name;
    private final IbvContext context;
    private final UseGuard.Ending ending;
    private final UseGuard guard;
    private final int descriptor;
    private final Optional<DeviceFiles.Present> present;
    private final DeviceFacts facts;
    private final DeviceAttributes attributes;
    private final Dependents dependents = new Dependents();
    private final QueuePairs queuePairs = new QueuePairs();
    private final SilentEvents events;

    /** A use of the device, during which it cannot be closed. */
    @FunctionalInterface
    interface Use<T> {
        T with(IbvContext context) throws VerbsException;
    }

    /**
     * Adopts a context.
     *
     * @param ending the call that releases it
     */
    DisniDevice(
            DisniLibrary library,
            DeviceFiles files,
            WallRuntime runtime,
            String name,
            IbvContext context,
            UseGuard.Ending ending)
            throws VerbsException {
        this.library = library;
        this.runtime = runtime;
        this.name = name;
        this.context = context;
        this.ending = ending;
        guard = new UseGuard("device " + name);
        String asked = "asking device " + name + " for its ";
        descriptor = DisniLibrary.make("ibv_context.cmd_fd", asked + "descriptor", context::getCmd_fd);
        present = files.deviceOf(descriptor);
        int vectors = DisniLibrary.make(
                "ibv_context.num_comp_vectors", asked + "completion vectors", context::getNumCompVectors);
        facts = new DeviceFacts(files, name);
        attributes = facts.attributes(vectors);
        events = new SilentEvents(guard.toString());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        requireOpen();
        return attributes;
    }

    @Override
    public Set<Capability> capabilities() {
        requireOpen();
        return DeviceFacts.CAPABILITIES;
    }

    @Override
    public PortAttributes queryPort(int port) throws VerbsException {
        requirePort(port, "ibv_query_port");
        return facts.port(port);
    }

    @Override
    public List<GidEntry> gidTable(int port) throws VerbsException {
        requirePort(port, "ibv_query_gid_table");
        return facts.gids(port);
    }

    @Override
    public int queryPkey(int port, int index) throws VerbsException {
        requirePort(port, "ibv_query_pkey");
        return facts.pkey(port, index);
    }

    private void requirePort(int port, String verb) throws VerbsException {
        requireOpen();
        if (port < 1 || port > attributes.physicalPortCount()) {
            throw Refusals.invalid(
                    verb,
                    "port " + port + " of " + this + "; ports count from 1, and there are "
                            + attributes.physicalPortCount());
        }
    }

    private void requireOpen() {
        if (guard.isClosed()) {
            throw guard.closed();
        }
    }

    /** Does something with the context while it cannot be closed. */
    <T> T whileOpen(Use<T> use) throws VerbsException {
        guard.requireEnter();
        try {
            return use.with(context);
        } finally {
            guard.exit();
        }
    }

    @Override
    public ProtectionDomain allocatePd() throws VerbsException {
        return whileOpen(open -> {
            IbvPd pd = DisniLibrary.make(
                    "ibv_alloc_pd",
                    "allocating a protection domain of " + this,
                    () -> library.verbs().allocPd(open));
            DisniPd made = new DisniPd(this, pd);
            dependents.add(made);
            return made;
        });
    }

    @Override
    public VerbsArena newArena() {
        guard.requireEnter();
        try {
            ProviderArena arena = new ProviderArena(name, SystemPage.size(), dependents::remove);
            dependents.add(arena);
            return arena;
        } finally {
            guard.exit();
        }
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        return whileOpen(open -> {
            DisniChannel made = new DisniChannel(this);
            dependents.add(made);
            return made;
        });
    }

    @Override
    public CompletionQueue createCq(CqInitAttributes wanted) throws VerbsException {
        if (wanted.timestamps()) {
            require(Capability.COMPLETION_TIMESTAMP, "ibv_create_cq_ex");
        }
        return whileOpen(open -> {
            DisniCq made = DisniCq.create(this, open, wanted);
            dependents.add(made);
            return made;
        });
    }

    @Override
    public AsyncEventChannel asyncEvents() {
        requireOpen();
        return events;
    }

    /** Returns nothing: DiSNI has none of them. */
    @Override
    public <T extends DeviceExtension> Optional<T> extension(Class<T> type) {
        requireOpen();
        return Optional.empty();
    }

    @Override
    public VerbsRuntime runtime() {
        requireOpen();
        return runtime;
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = guard.end(() -> {
            dependents.requireNone("ibv_close_device", this);
            ending.end();
        });
        if (closedNow) {
            events.close();
        }
    }

    DisniLibrary library() {
        return library;
    }

    Dependents dependents() {
        return dependents;
    }

    QueuePairs queuePairs() {
        return queuePairs;
    }

    /** Returns whether both have the same context. librdmacm has one for each device; a later device may get its descriptor. */
    boolean isSameAs(DisniDevice other) {
        return descriptor == other.descriptor && present.equals(other.present);
    }

    /** Whether the device is the one that the kernel had when this was opened. */
    boolean is(DeviceFiles.Present now) {
        return present.filter(now::equals).isPresent();
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
