package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.GidTable;
import dev.verbena.verbs.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which GID is at which (address, port), and the other way. What is not in the table is at the IP address that the GID is,
 * and the standard port. Look-ups take no lock and allocate nothing for addresses that were looked up before.
 */
final class EndpointTable {
    /** How many addresses that are not in the table are remembered; more than that only a flood of forged senders makes. */
    private static final int MAX_REMEMBERED = 4096;

    /** Both directions at one time; each is what it is by identity. */
    static final class Known {
        private final GidTable<InetSocketAddress> byGid;
        private final Map<InetSocketAddress, Gid> byAddress;
        private final boolean learning;

        Known(GidTable<InetSocketAddress> byGid, Map<InetSocketAddress, Gid> byAddress, boolean learning) {
            this.byGid = byGid;
            this.byAddress = byAddress;
            this.learning = learning;
        }
    }

    private final int defaultPort;
    private final Deque<Gid> unknown = new ArrayDeque<>();
    /** The one that each unknown sender is taken for when nobody else is to come. */
    private @Nullable Gid followed;

    private volatile Known known = new Known(GidTable.empty(), Map.of(), false);
    private volatile GidTable<InetSocketAddress> remembered = GidTable.empty();

    EndpointTable(int defaultPort) {
        this.defaultPort = defaultPort;
    }

    /** What is known now; another object after each change. */
    Known known() {
        return known;
    }

    boolean contains(Gid gid) {
        return known.byGid.get(gid.high(), gid.low()) != null;
    }

    synchronized void put(Gid gid, InetSocketAddress address) {
        if (address.isUnresolved() || address.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "endpoint " + address + " of " + gid + " is no address of an interface; give its IP address");
        }
        if (Gid.ofAddress(address.getAddress()).isIpv4() != gid.isIpv4()) {
            throw new IllegalArgumentException(
                    "GID " + gid + " cannot be at " + address + ", which is not of the same IP version");
        }
        Map<InetSocketAddress, Gid> byAddress = new HashMap<>(known.byAddress);
        InetSocketAddress before = known.byGid.get(gid.high(), gid.low());
        if (before != null) {
            byAddress.remove(before, gid);
        }
        byAddress.put(address, gid);
        unknown.remove(gid);
        known = new Known(known.byGid.with(gid, address), Map.copyOf(byAddress), isLearning());
    }

    /** Lets the next unknown sender be the endpoint of this GID. */
    synchronized void learn(Gid gid) {
        unknown.add(gid);
        known = new Known(known.byGid, known.byAddress, true);
    }

    /** Lets each further unknown sender be the endpoint of this GID, the last one counting. */
    synchronized void follow(Gid gid) {
        followed = gid;
        known = new Known(known.byGid, known.byAddress, true);
    }

    private boolean isLearning() {
        return !unknown.isEmpty() || followed != null;
    }

    /** Where a GID is. */
    InetSocketAddress find(long hi, long lo) {
        InetSocketAddress listed = known.byGid.get(hi, lo);
        if (listed != null) {
            return listed;
        }
        InetSocketAddress address = remembered.get(hi, lo);
        return address != null ? address : remember(new Gid(hi, lo));
    }

    private synchronized InetSocketAddress remember(Gid gid) {
        InetSocketAddress address = new InetSocketAddress(gid.toAddress(), defaultPort);
        GidTable<InetSocketAddress> table = remembered;
        remembered = (table.size() < MAX_REMEMBERED ? table : GidTable.<InetSocketAddress>empty()).with(gid, address);
        return address;
    }

    /** Whose a sender's address is. */
    Gid gidOf(InetSocketAddress sender) {
        Known now = known;
        Gid gid = now.byAddress.get(sender);
        if (gid == null && now.learning) {
            gid = learned(sender);
        }
        return gid != null ? gid : Gid.ofAddress(sender.getAddress());
    }

    private synchronized @Nullable Gid learned(InetSocketAddress sender) {
        Gid gid = unknown.isEmpty() ? followed : unknown.peek();
        if (gid == null || known.byAddress.containsKey(sender) || gid.isIpv4() != isIpv4(sender.getAddress())) {
            return known.byAddress.get(sender);
        }
        put(gid, sender);
        return gid;
    }

    private static boolean isIpv4(InetAddress address) {
        return Gid.ofAddress(address).isIpv4();
    }
}
