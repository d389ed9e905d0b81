// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Selects an entry of a port's GID table. The order of the entries in the GID table differs between devices, and can
 * differ after each boot. An index that works on one machine can belong to a link-local entry, a RoCE v1 entry or an
 * empty entry on another machine. Immutable.
 *
 * <p>Among the GID table entries that a selector accepts, the selector prefers RoCE v2 entries. Among entries of one type
 * the selector prefers an IPv4 address to a routable IPv6 address, and a routable IPv6 address to a link-local address. If
 * several entries are equally preferred, the selector returns the entry with the lowest index. A port with VLANs has
 * entries of several network interfaces; {@link #ofInterface} selects an entry of one network interface.
 *
 * @since 1.0
 */
public final class GidSelector {
    private static final Comparator<GidEntry> BEST_FIRST = Comparator.comparing(
                    (GidEntry entry) -> entry.type() != GidType.ROCE_V2)
            .thenComparing(entry -> entry.gid().isLinkLocal())
            .thenComparing(entry -> !entry.gid().isIpv4())
            .thenComparingInt(GidEntry::index);

    private static final GidSelector AUTOMATIC = new GidSelector("any entry", entry -> true);

    private final String wanted;
    private final Predicate<GidEntry> accepts;

    private GidSelector(String wanted, Predicate<GidEntry> accepts) {
        this.wanted = wanted;
        this.accepts = accepts;
    }

    /** {@return the selector that considers all entries of the GID table; this selector is the usual choice} */
    public static GidSelector automatic() {
        return AUTOMATIC;
    }

    /**
     * Creates a selector that accepts the GID table entries with the given GID.
     *
     * @param gid the GID
     * @return the selector
     */
    public static GidSelector ofAddress(Gid gid) {
        return new GidSelector("address " + gid, entry -> entry.gid().equals(gid));
    }

    /**
     * Creates a selector that accepts the GID table entries with the GID of the given IP address. The scope id of a
     * link-local address selects the network interface, because several network interfaces can have the same address.
     *
     * @param address an IPv4 or IPv6 address
     * @return the selector
     */
    public static GidSelector ofAddress(InetAddress address) {
        Gid gid = Gid.ofAddress(address);
        String zone = zone(address);
        return new GidSelector(
                "address " + gid + (zone.isEmpty() ? "" : " on " + zone),
                entry -> entry.gid().equals(gid)
                        && (zone.isEmpty() || entry.interfaceName().equals(zone)));
    }

    /** Returns the scope id of an IPv6 address as a network interface name; empty if the address has no scope id. */
    private static String zone(InetAddress address) {
        if (!(address instanceof Inet6Address scoped) || scoped.getScopeId() == 0) {
            return "";
        }
        try {
            NetworkInterface named = scoped.getScopedInterface();
            NetworkInterface found = named != null ? named : NetworkInterface.getByIndex(scoped.getScopeId());
            return found != null ? found.getName() : "interface " + scoped.getScopeId();
        } catch (SocketException gone) {
            return "interface " + scoped.getScopeId();
        }
    }

    /**
     * Creates a selector that accepts only the GID table entries of one network interface, such as a VLAN of the port
     * ({@code eth0.100}).
     *
     * @param name the name of the interface
     * @return the selector
     */
    public static GidSelector ofInterface(String name) {
        return new GidSelector(
                "interface " + name, entry -> entry.interfaceName().equals(name));
    }

    /**
     * Creates a selector that accepts only the GID table entries of one GID type, such as RoCE v1 for a peer that
     * supports only RoCE v1.
     *
     * @param type the type
     * @return the selector
     */
    public static GidSelector ofType(GidType type) {
        return new GidSelector("type " + type, entry -> entry.type() == type);
    }

    /**
     * Creates a selector that accepts only the GID table entry with the given index. The option {@code -g} of
     * {@code ibv_rc_pingpong} also selects a GID by its index.
     *
     * @param index the index, from 0
     * @return the selector
     */
    public static GidSelector ofIndex(int index) {
        return new GidSelector("index " + index, entry -> entry.index() == index);
    }

    /**
     * Selects the preferred entry among the entries that this selector accepts.
     *
     * @param device the device
     * @param port the port number of the device, at least 1
     * @return the entry
     * @throws VerbsException {@code EADDRNOTAVAIL} if no entry of the GID table matches (the message then contains the
     *     GID table); {@code EINVAL} if the port does not exist
     */
    public GidEntry select(Device device, int port) throws VerbsException {
        List<GidEntry> table = device.gidTable(port);
        Optional<GidEntry> best = table.stream().filter(accepts).min(BEST_FIRST);
        if (best.isEmpty()) {
            String known = table.stream()
                    .map(entry -> entry.index() + " = " + entry.gid() + " " + entry.type()
                            + (entry.interfaceName().isEmpty() ? "" : " on " + entry.interfaceName()))
                    .collect(Collectors.joining(", "));
            throw new VerbsException(
                    Errno.EADDRNOTAVAIL,
                    "GidSelector.select",
                    "port " + port + " of " + device.name() + " has no GID with " + wanted + "; its table is "
                            + (known.isEmpty() ? "empty, so bring the network interface up" : known));
        }
        return best.get();
    }

    @Override
    public String toString() {
        return wanted;
    }
}
