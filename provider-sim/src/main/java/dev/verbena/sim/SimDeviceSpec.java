package dev.verbena.sim;

import dev.verbena.verbs.Gid;
import java.util.List;

/**
 * A device to make: a name and the addresses of its port.
 *
 * @param name the name to open it by, such as {@code sim0}
 * @param addresses the port's addresses, at least one; the link-local GID is added by the device
 */
public record SimDeviceSpec(String name, List<Gid> addresses) {
    /** Checks that there is a name and an address, and keeps its own copy of the list. */
    public SimDeviceSpec {
        addresses = List.copyOf(addresses);
        if (name.isBlank() || addresses.isEmpty()) {
            throw new IllegalArgumentException("a device needs a name and at least one address");
        }
    }

    /**
     * Makes a device with one address.
     *
     * @param name the name to open it by
     * @param address an IPv4 or IPv6 address in text form
     * @return the specification
     */
    public static SimDeviceSpec of(String name, String address) {
        return new SimDeviceSpec(name, List.of(Gid.parse(address)));
    }
}
