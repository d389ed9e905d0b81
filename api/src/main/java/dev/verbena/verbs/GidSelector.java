// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Selects an entry of a port's GID table. The order of the table differs between devices and between boots. An index that works
 * on one machine can be link-local, RoCE v1 or empty on another machine. Immutable.
 *
 * <p>Among the matching entries the selector prefers RoCE v2. Among entries of one type the selector prefers an IPv4 address to a
 * routable IPv6 address, and a routable to a link-local address. Among equivalent entries the selector prefers the lowest index.
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

    /** {@return the selector of the best entry of the whole table, which is the usual choice} */
    public static GidSelector automatic() {
        return AUTOMATIC;
    }

    /**
     * Creates a selector of the entries that have an address, such as the address that a peer knows.
     *
     * @param gid the address
     * @return the selector
     */
    public static GidSelector ofAddress(Gid gid) {
        return new GidSelector("address " + gid, entry -> entry.gid().equals(gid));
    }

    /**
     * Creates a selector of the entry with an index, as the option {@code -g} of {@code ibv_rc_pingpong} does.
     *
     * @param index the index, from 0
     * @return the selector
     */
    public static GidSelector ofIndex(int index) {
        return new GidSelector("index " + index, entry -> entry.index() == index);
    }

    /**
     * Selects an entry.
     *
     * @param device the device
     * @param port the port number of the device, at least 1
     * @return the entry
     * @throws VerbsException {@code EADDRNOTAVAIL} if no entry matches, with the table in the message; {@code EINVAL} if the port
     *     does not exist
     */
    public GidEntry select(Device device, int port) throws VerbsException {
        List<GidEntry> table = device.gidTable(port);
        Optional<GidEntry> best = table.stream().filter(accepts).min(BEST_FIRST);
        if (best.isEmpty()) {
            String known = table.stream()
                    .map(entry -> entry.index() + " = " + entry.gid() + " " + entry.type())
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
