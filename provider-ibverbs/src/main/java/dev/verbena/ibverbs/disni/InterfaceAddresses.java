// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The IP addresses of this machine's network interfaces. */
class InterfaceAddresses {
    /** Returns the IP addresses of all interfaces by interface name, or empty if the addresses cannot be read. */
    Map<String, Set<InetAddress>> all() {
        try {
            return NetworkInterface.networkInterfaces()
                    .collect(Collectors.toMap(
                            NetworkInterface::getName,
                            each -> each.inetAddresses().collect(Collectors.toSet()),
                            (one, other) -> one));
        } catch (SocketException unknown) {
            return Map.of();
        }
    }

    /** Returns the IPv4 addresses of an interface, or empty if the interface does not exist. */
    List<Inet4Address> of(String name) {
        try {
            NetworkInterface found = NetworkInterface.getByName(name);
            return found == null
                    ? List.of()
                    : found.inetAddresses()
                            .filter(Inet4Address.class::isInstance)
                            .map(Inet4Address.class::cast)
                            .toList();
        } catch (SocketException unknown) {
            return List.of();
        }
    }
}
