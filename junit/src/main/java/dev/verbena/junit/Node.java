package dev.verbena.junit;

import dev.verbena.sim.SimProvider;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsScope;

/** A node of a {@link VerbsNetwork}: a device, and what the extension has opened on it, which it also closes. */
public final class Node {
    /** The bytes of memory of each {@link QpEnd}. */
    static final int END_BYTES = 1 << 20;

    /** The requests that each queue of a {@link QpEnd} holds. */
    static final int END_REQUESTS = 64;

    private static final AccessFlag[] ALL_ACCESS = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC
    };

    private final String name;
    private final dev.verbena.verbs.Device device;
    private final ProtectionDomain pd;
    private final VerbsScope scope;
    private final DeviceCounters counters;

    Node(String name, SimProvider provider, VerbsScope scope) throws VerbsException {
        this.name = name;
        this.scope = scope;
        device = scope.opened(provider.open(name));
        counters = provider.counters(name);
        pd = scope.opened(device.allocatePd());
    }

    /**
     * Returns the name.
     *
     * @return the name in {@link Nodes}
     */
    public String name() {
        return name;
    }

    /**
     * Returns the open device.
     *
     * @return the device; the network closes it
     */
    public dev.verbena.verbs.Device device() {
        return device;
    }

    /**
     * Returns a protection domain of the device.
     *
     * @return the domain; the network closes it
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Reads a counter of the device.
     *
     * @param counter the counter
     * @return its value
     */
    public long counter(Counter counter) {
        return counters.get(counter);
    }

    /** Makes a queue pair that is not connected, with memory and a completion queue. */
    QpEnd newEnd(QpType type) throws VerbsException {
        VerbsArena arena = scope.opened(device.newArena());
        MemoryRegion region = scope.opened(pd.registerMemory(arena.allocatePages(END_BYTES), ALL_ACCESS));
        CompletionQueue cq = scope.opened(device.createCq(CqInitAttributes.ofCapacity(2 * END_REQUESTS)));
        QpInitAttributes attributes = QpInitAttributes.builder()
                .type(type)
                .sendCq(cq)
                .receiveCq(cq)
                .capabilities(QpCapabilities.of(END_REQUESTS, END_REQUESTS))
                .build();
        return new QpEnd(this, scope.opened(pd.createQp(attributes)), cq, region);
    }

    @Override
    public String toString() {
        return name;
    }
}
