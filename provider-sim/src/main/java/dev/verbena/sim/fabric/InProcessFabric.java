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
 * Ports in one JVM. A packet to one port changes its owner and is not copied. Under wall time {@link FabricPort#send}
 * calls the receiver in the sender's thread. Under virtual time a packet arrives after its transmission on the
 * {@linkplain LinkProperties link}, in the order of the link. Every member of a multicast group except for the last
 * gets a copy.
 */
public final class InProcessFabric implements Fabric {
    private final SimRuntime runtime;
    private final LinkProperties properties;
    private final boolean checks;
    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private final AtomicLong undeliverable = new AtomicLong();
    private final AtomicLong oversized = new AtomicLong();
    private volatile GidTable<InProcessPort> ports = GidTable.empty();

    /** The members of each group, in the order of joining; never an empty array. */
    private volatile GidTable<InProcessPort[]> groups = GidTable.empty();

    /**
     * Makes a fabric of {@linkplain LinkProperties#DEFAULT default} links.
     *
     * @param runtime the runtime that delays packets
     */
    public InProcessFabric(SimRuntime runtime) {
        this(runtime, LinkProperties.DEFAULT);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime the runtime that delays packets
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
     * Makes a fabric of default links that treats packets as on a wire. It computes checksums and ICRC of each packet
     * when it is sent, and parses and checks all of it on arrival. For the packets of a {@linkplain SimPacket#count()
     * segment batch} it does both during the transmission.
     *
     * @param runtime the runtime that delays packets
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
                        "port " + name + " cannot have GID " + gid + ", for " + other.name()
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

    /** Returns true only for a {@linkplain #checking checking} fabric. */
    @Override
    public boolean looksAtBytes() {
        return checks;
    }

    /**
     * Returns the number of packets that no port received.
     *
     * @return packets to unknown addresses, and packets whose sender or receiver was detached before their arrival
     */
    public long undeliverable() {
        return undeliverable.get();
    }

    /**
     * Returns the number of packets longer than the MTU, which were dropped.
     *
     * @return at least 0
     */
    public long oversized() {
        return oversized.get();
    }

    /**
     * Returns the number of packets that a device or a link owns.
     *
     * @return packets that were not released yet; 0 when none is in flight
     */
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
     * Returns the port at the end of a lasting route to a unicast address. Searches again after ports were attached or
     * detached.
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
     * The cached port at the end of a route.
     *
     * @param table the table in which the port was found
     */
    private record RouteEnd(
            GidTable<InProcessPort> table, @Nullable InProcessPort port) {}

    InProcessPort @Nullable [] group(long hi, long lo) {
        return groups.get(hi, lo);
    }

    /** Adds a member to a group. False if the port is already a member. */
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
