// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.verbs.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Two endpoints on this machine for two devices, and the devices' GIDs. With {@code -Dverbena.portable=true}, and on
 * systems other than Linux, 127.0.0.1 is the only address.
 *
 * @param name the name in test names
 * @param first the address of the first device
 * @param second the address of the second device
 * @param gids the GIDs of both
 */
record Loopback(String name, InetAddress first, InetAddress second, List<Gid> gids) {
    private static final List<Gid> IPV4 = List.of(Gid.parse("192.0.2.1"), Gid.parse("192.0.2.2"));
    private static final List<Gid> IPV6 = List.of(Gid.parse("2001:db8::1"), Gid.parse("2001:db8::2"));

    static final Loopback ONE_ADDRESS = of("127.0.0.1", "127.0.0.1", IPV4);

    /** Returns whether only 127.0.0.1 and Java itself may be used. */
    static boolean isPortable() {
        return Boolean.getBoolean("verbena.portable")
                || !System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
    }

    /** Returns the available pairs of endpoints, at least one. */
    static List<Loopback> all() {
        List<Loopback> all = new ArrayList<>(List.of(ONE_ADDRESS));
        if (!isPortable()) {
            all.add(of("127.0.0.1", "127.0.0.2", IPV4));
            all.add(of("::1", "::1", IPV6));
        }
        return all;
    }

    private static Loopback of(String first, String second, List<Gid> gids) {
        try {
            return new Loopback(
                    first + " and " + second, InetAddress.getByName(first), InetAddress.getByName(second), gids);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the endpoint of a device at any free port. */
    InetSocketAddress anyPort(int side) {
        return new InetSocketAddress(side == 0 ? first : second, 0);
    }

    Gid gid(int side) {
        return gids.get(side);
    }

    @Override
    public String toString() {
        return name;
    }
}
