// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A fabric of ports in one JVM. A unicast packet is not copied: the destination port's {@link PacketReceiver} becomes its
 * owner. Under wall-clock time {@link FabricPort#send} calls the destination port's {@link PacketReceiver} in the calling
 * thread. Under virtual time the link (see {@link LinkProperties}) delivers each packet after its transmission, in order.
 * Every member of a multicast group gets a copy of a packet, except for the last member, which gets the packet itself.
 */
public final class InProcessFabric implements Fabric {
    private final SimRuntime runtime;
    private final LinkProperties properties;
    private final boolean checks;
    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private final AtomicLong undeliverable = new AtomicLong();
    private final AtomicLong oversized = new AtomicLong();
    private volatile GidTable<InProcessPort> ports = GidTable.empty();

    /** The members of each multicast group, in the order of joining. No array is empty. */
    private volatile GidTable<InProcessPort[]> groups = GidTable.empty();

    /**
     * Makes a fabric without ports. Its links have the properties {@link LinkProperties#DEFAULT}.
     *
     * @param runtime the scheduler, which delays packets under virtual time
     */
    public InProcessFabric(SimRuntime runtime) {
        this(runtime, LinkProperties.DEFAULT);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime the scheduler, which delays packets under virtual time
     * @param properties the properties of every link
     */
    public InProcessFabric(SimRuntime runtime, LinkProperties properties) {
        this(runtime, properties, false);
    }

    private InProcessFabric(SimRuntime runtime, LinkProperties properties, boolean checks) {
        this.runtime = runtime;
        this.properties = properties;
        this.checks = checks;
    }

    /**
     * Makes a fabric that has default links and transmits packets as bytes. The fabric computes checksums and the ICRC of
     * each sent packet, and parses and checks each arriving packet. If a {@link SimPacket} represents several packets
     * ({@link SimPacket#count()}), the fabric builds and checks each of them during transmission.
     *
     * @param runtime the scheduler, which delays packets under virtual time
     * @return a new fabric
     */
    public static InProcessFabric checking(SimRuntime runtime) {
        return new InProcessFabric(runtime, LinkProperties.DEFAULT, true);
    }

    @Override
    public synchronized FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
        GidTable<InProcessPort> table = ports;
        InProcessPort port = new InProcessPort(this, name, List.copyOf(gids), receiver);
        for (Gid gid : gids) {
            InProcessPort other = table.get(gid.high(), gid.low());
            if (other != null) {
                throw new VerbsException(
                        Errno.EADDRINUSE,
                        "attach",
                        "port " + name + " cannot use GID " + gid + ", because " + other.name()
                                + (other == port ? " names it twice" : " has it; give each port its own address"));
            }
            table = table.with(gid, port);
        }
        ports = table;
        return port;
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        return port(destination.high(), destination.low()) != null
                || group(destination.high(), destination.low()) != null;
    }

    /** {@return true only for a fabric that the factory method {@link #checking} has created} */
    @Override
    public boolean looksAtBytes() {
        return checks;
    }

    /**
     * {@return the number of packets that no port received, because their destination is unknown or because the sending or receiving port was detached before the arrival}
     */
    public long undeliverable() {
        return undeliverable.get();
    }

    /** {@return the number of packets that were dropped because they are longer than the MTU} */
    public long oversized() {
        return oversized.get();
    }

    /** {@return the number of packets that a device or a link owns; 0 when no packet is in flight} */
    public long packetsInUse() {
        return pool.inUse();
    }

    SimRuntime runtime() {
        return runtime;
    }

    LinkProperties properties() {
        return properties;
    }

    PacketPool pool() {
        return pool;
    }

    @Nullable InProcessPort port(long hi, long lo) {
        return ports.get(hi, lo);
    }

    /**
     * Returns the port with the destination GID of a {@link Route}, or null if no port has this GID. The destination must
     * not be a multicast group. The {@link Route} caches the port until any port is attached or detached.
     */
    @Nullable InProcessPort end(Route route) {
        GidTable<InProcessPort> table = ports;
        if (route.end() instanceof RouteEnd known && known.table() == table) {
            return known.port();
        }
        InProcessPort port = table.get(route.destinationHi(), route.destinationLo());
        route.end(new RouteEnd(table, port));
        return port;
    }

    /**
     * The destination port that a {@link Route} caches. {@code table} is the port table in which the fabric found the port.
     * The cached port is valid only while {@code table} is the fabric's port table.
     */
    private record RouteEnd(
            GidTable<InProcessPort> table, @Nullable InProcessPort port) {}

    InProcessPort @Nullable [] group(long hi, long lo) {
        return groups.get(hi, lo);
    }

    /** Adds a port to the members of a multicast group. Returns false if the port is already a member of the group. */
    synchronized boolean join(InProcessPort port, Gid group) {
        InProcessPort[] members = group(group.high(), group.low());
        List<InProcessPort> more = members == null ? new ArrayList<>() : new ArrayList<>(List.of(members));
        if (more.contains(port)) {
            return false;
        }
        more.add(port);
        groups = groups.with(group, more.toArray(InProcessPort[]::new));
        return true;
    }

    synchronized void leave(InProcessPort port, Gid group) {
        InProcessPort[] members = group(group.high(), group.low());
        if (members == null) {
            return;
        }
        List<InProcessPort> fewer = new ArrayList<>(List.of(members));
        fewer.remove(port);
        groups = fewer.isEmpty() ? groups.without(group) : groups.with(group, fewer.toArray(InProcessPort[]::new));
    }

    synchronized void detach(InProcessPort port) {
        GidTable<InProcessPort> table = ports;
        for (Gid gid : port.gids()) {
            table = table.without(gid);
        }
        ports = table;
    }

    void loseUndeliverable(SimPacket packet) {
        packet.release();
        undeliverable.incrementAndGet();
    }

    void loseOversized(SimPacket packet) {
        packet.release();
        oversized.incrementAndGet();
    }
}
