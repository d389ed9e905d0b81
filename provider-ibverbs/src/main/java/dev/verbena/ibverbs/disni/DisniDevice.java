// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
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

/** A device of DiSNI. The device uses a device context that librdmacm opened. */
final class DisniDevice implements Device {
    private final WallRuntime runtime;
    private final String name;
    private final DisniContext context;
    private final UseGuard.Ending ending;
    private final DeviceFacts facts;
    private final DeviceAttributes attributes;
    private final QueuePairs queuePairs = new QueuePairs();
    private final SilentEvents events;

    DisniDevice(
            DisniLibrary library,
            DeviceFiles files,
            WallRuntime runtime,
            String name,
            IbvContext raw,
            UseGuard.Ending ending)
            throws VerbsException {
        this.runtime = runtime;
        this.name = name;
        this.ending = ending;
        context = new DisniContext(library, files, name, raw);
        int vectors = DisniLibrary.make(
                "ibv_context.num_comp_vectors",
                "querying the completion vectors of device " + name,
                raw::getNumCompVectors);
        facts = new DeviceFacts(files, name);
        attributes = facts.attributes(vectors);
        events = new SilentEvents(context.toString());
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
        if (context.guard().isClosed()) {
            throw context.guard().closed();
        }
    }

    @Override
    public ProtectionDomain allocatePd() throws VerbsException {
        return context.whileOpen(open -> {
            IbvPd pd = DisniLibrary.make(
                    "ibv_alloc_pd",
                    "allocating a protection domain of " + this,
                    () -> context.library().verbs().allocPd(open));
            DisniPd made = new DisniPd(this, context, pd);
            context.dependents().add(made);
            return made;
        });
    }

    @Override
    public VerbsArena newArena() {
        context.guard().requireEnter();
        try {
            ProviderArena arena = new ProviderArena(name, SystemPage.size(), context.dependents()::remove);
            context.dependents().add(arena);
            return arena;
        } finally {
            context.guard().exit();
        }
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        return context.whileOpen(open -> {
            DisniChannel made = new DisniChannel(context);
            context.dependents().add(made);
            return made;
        });
    }

    @Override
    public CompletionQueue createCq(CqInitAttributes wanted) throws VerbsException {
        if (wanted.timestamps()) {
            require(Capability.COMPLETION_TIMESTAMP, "ibv_create_cq_ex");
        }
        return context.whileOpen(open -> {
            DisniCq made = DisniCq.create(this, context, queuePairs, open, wanted);
            context.dependents().add(made);
            return made;
        });
    }

    @Override
    public AsyncEventChannel asyncEvents() {
        requireOpen();
        return events;
    }

    /** Returns empty, because a DiSNI device has no optional interface ({@link DeviceExtension}). */
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
        boolean closedNow = context.guard().end(() -> {
            context.dependents().requireNone("ibv_close_device", this);
            ending.end();
        });
        if (closedNow) {
            events.close();
        }
    }

    DisniContext context() {
        return context;
    }

    QueuePairs queuePairs() {
        return queuePairs;
    }

    @Override
    public String toString() {
        return context.toString();
    }
}
