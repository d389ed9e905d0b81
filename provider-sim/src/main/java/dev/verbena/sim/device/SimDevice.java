// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.cm.CmDevice;
import dev.verbena.sim.cm.MadPort;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.explain.StallReport;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.memory.IndexTable;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.CompletionExplainer;
import dev.verbena.sim.runtime.Registration;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A software device ({@code struct rxe_dev}), with tables of queue pairs and of memory regions and windows, with one port
 * and with counters. Each {@link #open} creates a context.
 */
public final class SimDevice implements CmDevice, CompletionExplainer {
    private final IndexTable<SimQueuePair> queuePairs;
    private final ChannelAdapter adapter;
    private final GsiPort gsi;
    private final SimContext cmContext;
    private final Registration stallReports;
    private final Children contexts;

    /**
     * Creates a device and attaches its port to a fabric. The port has the link-local GID and the GIDs in the list
     * {@code addresses}.
     */
    public SimDevice(
            String name,
            DeviceProfile profile,
            List<Gid> addresses,
            SimRuntime runtime,
            Fabric fabric,
            LeakDetection leakDetection)
            throws VerbsException {
        contexts = new Children(leakDetection);
        int firstQpn = profile.firstQpn()
                .orElseGet(() -> runtime.newRandom("queue pairs of " + name)
                        .nextInt(DeviceProfile.LEAST_QPN, DeviceProfile.LARGEST_QPN + 1));
        queuePairs = new IndexTable<>(
                DeviceProfile.LEAST_QPN,
                DeviceProfile.LARGEST_QPN,
                firstQpn,
                profile.attributes().maxQp());
        adapter = ChannelAdapter.attach(name, profile, runtime, fabric, addresses, this::intakeOf);
        gsi = new GsiPort(adapter.port(), runtime, adapter.counters(), !adapter.has(Quirk.MIGREQ_ZERO));
        cmContext = newContext();
        stallReports = runtime.onStall(this::posted);
    }

    /** Returns a line of text for each queue pair that has outstanding send requests or receive requests. */
    public String posted() {
        return StallReport.of(
                name(), queuePairs.list().stream().map(SimQueuePair::explainer).toList());
    }

    private SimContext newContext() {
        return new SimContext(adapter, contexts, queuePairs, this);
    }

    private @Nullable QpIntake intakeOf(int qpn) {
        if (qpn == GsiPort.QPN) {
            return gsi;
        }
        SimQueuePair queuePair = queuePairs.get(qpn);
        return queuePair == null ? null : queuePair.intake();
    }

    public Device open() {
        SimContext context = newContext();
        contexts.add(context);
        return context;
    }

    /**
     * Lists the open objects of all contexts, including those of connection management. Each object is listed before
     * its children, and the children of one object are listed in the order of their creation.
     */
    public List<Leak> openObjects() {
        return OpenObjects.below(contexts, cmContext.children());
    }

    public String name() {
        return adapter.name();
    }

    public DeviceAttributes attributes() {
        return adapter.profile().attributes();
    }

    public DeviceCounters counters() {
        return adapter.counters();
    }

    /**
     * Sets the link state of the device's port. While the link is down, packets are dropped in both directions and no
     * address is reachable. Requesters keep retransmitting while the link is down, and may use up their retries. A
     * change of the link state raises PORT_ACTIVE or PORT_ERR in each context.
     */
    public void link(boolean up) {
        if (adapter.port().link(up)) {
            if (!up) {
                // Requests of a batch in progress that the loopback path has not executed yet take the packet path.
                queuePairs.list().forEach(SimQueuePair::wake);
            }
            AsyncEventType type = up ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR;
            tell(cmContext, type);
            contexts.list().forEach(context -> tell((SimContext) context, type));
        }
    }

    private static void tell(SimContext context, AsyncEventType type) {
        context.events().raise(AsyncEvent.ofPort(type, context, 1), null);
    }

    /**
     * Simulates the removal of the device: its queue pairs go to ERR, its port is detached from the fabric, and each
     * context gets DEVICE_FATAL. The application can still close verbs objects of a removed device.
     */
    public void unplug() {
        close();
        queuePairs.list().forEach(SimQueuePair::abandon);
        fail(cmContext);
        contexts.list().forEach(context -> fail((SimContext) context));
    }

    private static void fail(SimContext context) {
        context.events().raise(AsyncEvent.ofDevice(AsyncEventType.DEVICE_FATAL, context), null);
    }

    public void close() {
        stallReports.close();
        adapter.port().close();
        gsi.close();
    }

    @Override
    public Explanation explain(WorkCompletion completion) {
        SimQueuePair queuePair = queuePairs.get(completion.qpNumber());
        return queuePair == null ? Explanation.ofStatus(completion) : queuePair.explain(completion);
    }

    @Override
    public Optional<RootCause> rootCause(WorkCompletion completion) {
        SimQueuePair queuePair = queuePairs.get(completion.qpNumber());
        return queuePair == null ? Optional.empty() : queuePair.explainer().rootCause();
    }

    @Override
    public Device context() {
        return cmContext;
    }

    @Override
    public List<Gid> addresses() {
        return adapter.port().gids();
    }

    @Override
    public int gidIndex(Gid gid) {
        return adapter.port().gids().indexOf(gid);
    }

    @Override
    public PathMtu pathMtu() {
        return adapter.port().cmPathMtu();
    }

    @Override
    public PathMtu pathMtu(Gid destination) {
        return adapter.port().cmPathMtu(destination);
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        return adapter.port().reaches(source, destination);
    }

    @Override
    public boolean isOpen(QueuePair queuePair) {
        return queuePairs.get(queuePair.number()) == queuePair;
    }

    @Override
    public MadPort madPort() {
        return gsi;
    }

    @Override
    public String toString() {
        return "device " + name();
    }
}
