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
 * A simulated device ({@code struct rxe_dev}): tables of queue pairs and memory, one port, counters. Each {@link #open} creates
 * another context.
 */
public final class SimDevice implements CmDevice, CompletionExplainer {
    private final IndexTable<SimQueuePair> queuePairs;
    private final ChannelAdapter adapter;
    private final GsiPort gsi;
    private final SimContext cmContext;
    private final Registration stallReports;
    private final Children contexts;

    /**
     * Creates a device and attaches its port to a fabric.
     *
     * @param name the device's name, such as {@code sim0}
     * @param profile its capabilities, limits and quirks
     * @param addresses the GIDs of its port beside the link-local one
     * @param runtime its clock, timers and threads
     * @param fabric the network that carries its packets
     * @param leakDetection whether to record where objects are opened, to report those never closed
     * @throws VerbsException {@code EADDRINUSE} if one of the addresses is taken on the fabric
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
        stallReports = runtime.onStall(() -> StallReport.of(
                name, queuePairs.list().stream().map(SimQueuePair::explainer).toList()));
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

    /**
     * Opens the device.
     *
     * @return a new context
     */
    public Device open() {
        SimContext context = newContext();
        contexts.add(context);
        return context;
    }

    /**
     * Lists the open objects: contexts, and the objects created through them or through the context of connection management.
     *
     * @return the objects, parents before children and in the order of their creation
     */
    public List<Leak> openObjects() {
        return OpenObjects.below(contexts, cmContext.children());
    }

    /**
     * Returns the name.
     *
     * @return such as {@code sim0}
     */
    public String name() {
        return adapter.name();
    }

    /**
     * Returns the limits.
     *
     * @return the device's attributes
     */
    public DeviceAttributes attributes() {
        return adapter.profile().attributes();
    }

    /**
     * Returns the counters.
     *
     * @return live counters
     */
    public DeviceCounters counters() {
        return adapter.counters();
    }

    /**
     * Takes the link of the device's port up or down. While the link is down, packets are dropped in both directions and no address
     * is reachable. Queue pairs continue, so a requester may use up its retries. A change raises PORT_ACTIVE or PORT_ERR in each
     * context.
     *
     * @param up the new state of the link
     */
    public void link(boolean up) {
        if (adapter.port().link(up)) {
            if (!up) {
                // Ends batches in progress on the loopback path.
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
     * Simulates the removal of the device: its queue pairs go to ERR, its port is detached from the fabric, and each context gets
     * DEVICE_FATAL. Objects of the device can still be closed.
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

    /** Detaches the port from the fabric. */
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
