package dev.verbena.sim.device;

import dev.verbena.sim.runtime.SimRuntime;
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

/** A device context: the result of one {@code ibv_open_device}. */
final class SimContext implements Device, Parent {
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final SimDevice device;
    private final Children children;
    private final SimAsyncEvents events;
    private final Registrar registrar;

    SimContext(SimDevice device) {
        this.device = device;
        children = new Children(device.leakDetection());
        events = new SimAsyncEvents(device.name(), device.runtime(), children);
        registrar = new Registrar(this, device.profile(), device.memory(), device.pinned());
    }

    SimDevice device() {
        return device;
    }

    @Override
    public Children children() {
        return children;
    }

    SimRuntime simRuntime() {
        return device.runtime();
    }

    SimAsyncEvents events() {
        return events;
    }

    Registrar registrar() {
        return registrar;
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public DeviceAttributes attributes() {
        checkOpen("ibv_query_device");
        return device.attributes();
    }

    @Override
    public Set<Capability> capabilities() {
        checkOpen("Device.capabilities");
        return device.capabilities();
    }

    @Override
    public PortAttributes queryPort(int port) throws VerbsException {
        checkPort(port, "ibv_query_port");
        return device.port().attributes();
    }

    @Override
    public List<GidEntry> gidTable(int port) throws VerbsException {
        checkPort(port, "ibv_query_gid_table");
        return device.port().gidTable();
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
        Place place = Place.take(children, device.domains(), verb);
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
        return adopt(new SimCompletionChannel(this, simRuntime(), children), "ibv_create_comp_channel");
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
        Place place = Place.take(children, device.completionQueues(), verb);
        SimCompletionQueue queue = adopt(new SimCompletionQueue(this, place, wanted, channel), place, verb);
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

    private <T> T adopt(T child, String verb) {
        if (!children.add(child)) {
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
        if (type == FastRegistration.class && device.capabilities().contains(Capability.FAST_REGISTRATION)) {
            return Optional.of(type.cast(new SimFastRegistration(registrar)));
        }
        if (type == FmrRegistration.class && device.capabilities().contains(Capability.FMR)) {
            return Optional.of(type.cast(new SimFmrRegistration(registrar)));
        }
        return type == Counters.class
                ? Optional.of(type.cast(device.counters()))
                : simRuntime().extension(type);
    }

    @Override
    public VerbsRuntime runtime() {
        checkOpen("Device.runtime");
        return device.runtime();
    }

    @Override
    public void close() throws VerbsException {
        if (children.close("ibv_close_device", this)) {
            device.contexts().remove(this);
            simRuntime().wakeUp();
        }
    }

    @Override
    public String toString() {
        return "device " + name();
    }
}
