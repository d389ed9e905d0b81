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
 * Many ports in one JVM. Packets to one port change hands and are not copied. Under wall time {@link FabricPort#send} calls the
 * receiver in the sender's thread; under virtual time a packet comes when the {@linkplain LinkProperties link} has
 * carried it, in the order of the link. Every member of a multicast group but one gets a copy.
 */
public final class InProcessFabric implements Fabric {
    private final SimRuntime runtime;
    private final LinkProperties properties;
    private final boolean checks;
    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private final AtomicLong undeliverable = new AtomicLong();
    private final AtomicLong oversized = new AtomicLong();
    private volatile GidTable<InProcessPort> ports = GidTable.empty();

    /** The members of each group, in the order of their joining; never an empty array. */
    private volatile GidTable<InProcessPort[]> groups = GidTable.empty();

    /**
     * Makes a fabric of {@linkplain LinkProperties#DEFAULT default} links.
     *
     * @param runtime what delayed packets wait in
     */
    public InProcessFabric(SimRuntime runtime) {
        this(runtime, LinkProperties.DEFAULT);
    }

    /**
     * Makes a fabric without ports.
     *
     * @param runtime what delayed packets wait in
     * @param properties what every link is like
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
     * Makes a fabric of default links where packets are treated as on a wire: checksums and ICRC are computed when a packet is
     * sent, and all of it is parsed and checked when it comes; for the packets of a {@linkplain SimPacket#count() train} both is
     * done on the way.
     *
     * @param runtime what delayed packets wait in
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
    public boolean reaches(Gid gid) {
        return port(gid.high(), gid.low()) != null || group(gid.high(), gid.low()) != null;
    }

    /** Returns true only for a {@linkplain #checking checking} fabric. */
    @Override
    public boolean looksAtBytes() {
        return checks;
    }

    /**
     * Counts packets that nobody could get.
     *
     * @return packets to unknown addresses, and packets whose sender or receiver was detached before they came
     */
    public long undeliverable() {
        return undeliverable.get();
    }

    /**
     * Counts packets that were too long.
     *
     * @return packets longer than the MTU, which were lost
     */
    public long oversized() {
        return oversized.get();
    }

    /**
     * Counts the packets that somebody has: a device, or a link.
     *
     * @return packets that were not given back yet; 0 when nothing is under way
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

    /** The port at the end of a lasting route, which is no group's; looked for again when ports came or went. */
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
     * What was found at the end of a route.
     *
     * @param table where it was looked for
     */
    private record RouteEnd(
            GidTable<InProcessPort> table, @Nullable InProcessPort port) {}

    InProcessPort @Nullable [] group(long hi, long lo) {
        return groups.get(hi, lo);
    }

    /** False if the port is a member already. */
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
