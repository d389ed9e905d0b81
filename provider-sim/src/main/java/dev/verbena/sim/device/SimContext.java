// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.IndexTable;
import dev.verbena.sim.queue.CompletionExplainer;
import dev.verbena.spi.ProviderArena;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Counters;
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
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

final class SimContext implements Device, Parent {
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final ChannelAdapter adapter;
    private final Children siblings;
    private final IndexTable<SimQueuePair> queuePairs;
    private final CompletionExplainer explainer;
    private final Children children;
    private final SimAsyncEvents events;
    private final Registrar registrar;

    /**
     * The set {@code siblings} contains the device's open contexts; the table {@code queuePairs} contains the queue pairs
     * of these contexts.
     */
    SimContext(
            ChannelAdapter adapter,
            Children siblings,
            IndexTable<SimQueuePair> queuePairs,
            CompletionExplainer explainer) {
        this.adapter = adapter;
        this.siblings = siblings;
        this.queuePairs = queuePairs;
        this.explainer = explainer;
        children = siblings.below();
        events = new SimAsyncEvents(adapter.name(), adapter.runtime(), children);
        registrar = new Registrar(this, adapter.profile(), adapter.memory(), adapter.pinned());
    }

    ChannelAdapter adapter() {
        return adapter;
    }

    IndexTable<SimQueuePair> queuePairs() {
        return queuePairs;
    }

    @Override
    public Children children() {
        return children;
    }

    SimAsyncEvents events() {
        return events;
    }

    Registrar registrar() {
        return registrar;
    }

    @Override
    public String name() {
        return adapter.name();
    }

    @Override
    public DeviceAttributes attributes() {
        checkOpen("ibv_query_device");
        return adapter.profile().attributes();
    }

    @Override
    public Set<Capability> capabilities() {
        checkOpen("Device.capabilities");
        return adapter.profile().capabilities();
    }

    @Override
    public PortAttributes queryPort(int port) throws VerbsException {
        checkPort(port, "ibv_query_port");
        return adapter.port().attributes();
    }

    @Override
    public List<GidEntry> gidTable(int port) throws VerbsException {
        checkPort(port, "ibv_query_gid_table");
        return adapter.port().gidTable();
    }

    @Override
    public int queryPkey(int port, int index) throws VerbsException {
        checkPort(port, "ibv_query_pkey");
        if (index != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "ibv_query_pkey",
                    "P_Key index " + index + " does not exist; the table has entry 0 only");
        }
        return DEFAULT_PKEY;
    }

    private void checkPort(int port, String verb) throws VerbsException {
        checkOpen(verb);
        if (port != 1) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "port " + port + " does not exist; device " + name() + " has port 1 only");
        }
    }

    @Override
    public ProtectionDomain allocatePd() throws VerbsException {
        String verb = "ibv_alloc_pd";
        checkOpen(verb);
        Place place = Place.take(children, adapter.quotas().domains(), verb);
        return adopt(new SimProtectionDomain(this, place), place, verb);
    }

    @Override
    public VerbsArena newArena() {
        String verb = "Device.newArena";
        checkOpen(verb);
        ProviderArena arena = new ProviderArena(name(), attributes().systemPageSize(), children::remove);
        if (!children.add(arena)) {
            arena.close();
            throw closed(verb);
        }
        return arena;
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        SimCompletionChannel channel = new SimCompletionChannel(this, adapter.runtime(), children);
        if (!children.add(channel)) {
            throw closed("ibv_create_comp_channel");
        }
        return channel;
    }

    @Override
    public CompletionQueue createCq(CqInitAttributes wanted) throws VerbsException {
        if (wanted.timestamps()) {
            require(Capability.COMPLETION_TIMESTAMP, "ibv_create_cq_ex");
        }
        String verb = "ibv_create_cq";
        checkOpen(verb);
        if (wanted.capacity() > attributes().maxCqe()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "capacity " + wanted.capacity() + " is not in 1.."
                            + attributes().maxCqe());
        }
        if (wanted.completionVector() >= attributes().completionVectors()) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "completion vector " + wanted.completionVector() + " is not in 0.."
                            + (attributes().completionVectors() - 1));
        }
        CompletionChannel asked = wanted.channel();
        SimCompletionChannel channel = null;
        if (asked != null) {
            if (!(asked instanceof SimCompletionChannel own) || !own.isOf(this)) {
                throw new VerbsException(Errno.EINVAL, verb, "the channel is not one of device " + name());
            }
            channel = own;
        }
        Place place = Place.take(children, adapter.quotas().completionQueues(), verb);
        SimCompletionQueue queue = new SimCompletionQueue(
                this, place, events, adapter, explainer, user -> ((SimQueuePair) user).fail(), wanted, channel);
        adopt(queue, place, verb);
        if (channel != null && !channel.queues().add(queue)) {
            queue.close();
            throw new VerbsException(Errno.EBADF, verb, "the completion channel is closed");
        }
        return queue;
    }

    private <T> T adopt(T child, Place place, String verb) {
        if (!place.add(child)) {
            throw closed(verb);
        }
        return child;
    }

    private void checkOpen(String verb) {
        if (children.isClosed()) {
            throw closed(verb);
        }
    }

    private IllegalStateException closed(String verb) {
        return new IllegalStateException(verb + ": device " + name() + " is closed");
    }

    @Override
    public AsyncEventChannel asyncEvents() {
        checkOpen("Device.asyncEvents");
        return events;
    }

    @Override
    public <T extends DeviceExtension> Optional<T> extension(Class<T> type) {
        checkOpen("Device.extension");
        if (type == FastRegistration.class && adapter.profile().capabilities().contains(Capability.FAST_REGISTRATION)) {
            return Optional.of(type.cast(new SimFastRegistration(registrar)));
        }
        if (type == FmrRegistration.class && adapter.profile().capabilities().contains(Capability.FMR)) {
            return Optional.of(type.cast(new SimFmrRegistration(registrar)));
        }
        return type == Counters.class
                ? Optional.of(type.cast(adapter.counters()))
                : adapter.runtime().extension(type);
    }

    @Override
    public VerbsRuntime runtime() {
        checkOpen("Device.runtime");
        return adapter.runtime();
    }

    @Override
    public void close() throws VerbsException {
        if (children.close("ibv_close_device", this)) {
            siblings.remove(this);
            adapter.runtime().wakeUp();
        }
    }

    @Override
    public String toString() {
        return "device " + name();
    }
}
