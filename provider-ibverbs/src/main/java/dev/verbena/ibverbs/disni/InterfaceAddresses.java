package dev.verbena.ibverbs.disni;

import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/** The IPv4 addresses of this machine's network interfaces. */
class InterfaceAddresses {
    /**
     * Tells the addresses of an interface.
     *
     * @param name its name, such as {@code ib0}
     * @return its addresses, none if there is no such interface
     */
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
