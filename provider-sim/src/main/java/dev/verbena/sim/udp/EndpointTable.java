// SPDX-License-Identifier: Apache-2.0
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
 * Maps GIDs to IP addresses and UDP ports, and back. A GID without an entry maps to the IP address in the GID and the UDP
 * fabric's default port, 4791. A repeated lookup of a GID acquires no lock and allocates no memory.
 */
final class EndpointTable {
    /**
     * The maximum number of cached addresses whose GIDs are not in the endpoint table. If the cache of addresses is full,
     * adding an address first empties the cache.
     */
    private static final int MAX_REMEMBERED = 4096;

    /** A snapshot of the endpoint table, from GID to address and from address to GID. Snapshots are compared by identity. */
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
    /**
     * The GID that {@link #follow} has set, or null. If {@link #unknown} is empty and a sender's address has no GID, the
     * table maps {@code followed} to that address.
     */
    private @Nullable Gid followed;

    private volatile Known known = new Known(GidTable.empty(), Map.of(), false);
    private volatile GidTable<InetSocketAddress> remembered = GidTable.empty();

    EndpointTable(int defaultPort) {
        this.defaultPort = defaultPort;
    }

    /** Returns the current snapshot of the endpoint table. Each change of the endpoint table makes a new snapshot. */
    Known known() {
        return known;
    }

    boolean contains(Gid gid) {
        return known.byGid.get(gid.high(), gid.low()) != null;
    }

    synchronized void put(Gid gid, InetSocketAddress address) {
        if (address.isUnresolved() || address.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "endpoint " + address + " of " + gid + " is unresolved or a wildcard; give its IP address");
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

    /**
     * Adds to the table a GID whose UDP address is not known yet. When the next datagram arrives from an address that
     * is not in this {@code EndpointTable}, the table maps the GID to the datagram's source address.
     */
    synchronized void learn(Gid gid) {
        unknown.add(gid);
        known = new Known(known.byGid, known.byAddress, true);
    }

    /**
     * Adds a GID whose UDP address may change. If a datagram arrives from an address without a GID, the table maps the
     * added GID to that address. If {@link #learn} has added GIDs that are not yet mapped, the table maps one of those
     * instead.
     */
    synchronized void follow(Gid gid) {
        followed = gid;
        known = new Known(known.byGid, known.byAddress, true);
    }

    private boolean isLearning() {
        return !unknown.isEmpty() || followed != null;
    }

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

    /** Returns the GID of a sender's address. */
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
