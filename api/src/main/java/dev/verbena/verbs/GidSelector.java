// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Chooses an entry of a port's GID table. The order of the table differs from device to device and from boot to boot:
 * an index that works on one machine is link-local, RoCE v1 or empty on the next. Immutable.
 *
 * <p>Among the matching entries the selector prefers RoCE v2. Then it prefers an IPv4 address to a routable IPv6
 * address, and that to a link-local one; then the lowest index.
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

    /**
     * Takes the best entry there is.
     *
     * @return the usual choice
     */
    public static GidSelector automatic() {
        return AUTOMATIC;
    }

    /**
     * Restricts the choice to entries with an address, such as the one that a peer knows.
     *
     * @param gid the address
     * @return a selector for it
     */
    public static GidSelector ofAddress(Gid gid) {
        return new GidSelector("address " + gid, entry -> entry.gid().equals(gid));
    }

    /**
     * Takes one entry by its index, as the option {@code -g} of {@code ibv_rc_pingpong} does.
     *
     * @param index the index, from 0
     * @return a selector for it
     */
    public static GidSelector ofIndex(int index) {
        return new GidSelector("index " + index, entry -> entry.index() == index);
    }

    /**
     * Chooses.
     *
     * @param device the device
     * @param port its port, from 1
     * @return the entry
     * @throws VerbsException {@code EADDRNOTAVAIL} if no entry matches; the message lists the table; {@code EINVAL} if
     *     there is no such port
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
