package dev.verbena.sim;

import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Gid;
import java.util.List;

/**
 * A device to make: a name, the addresses of its port, and what kind of device it is.
 *
 * @param name the name to open it by, such as {@code sim0}
 * @param addresses the port's addresses, at least one; the link-local GID is added by the device
 * @param profile what it can do and how it behaves; its GUID is replaced by one made from the first address
 */
public record SimDeviceSpec(String name, List<Gid> addresses, DeviceProfile profile) {
    /** Checks that there is a name and an address, and keeps its own copy of the list. */
    public SimDeviceSpec {
        addresses = List.copyOf(addresses);
        if (name.isBlank() || addresses.isEmpty()) {
            throw new IllegalArgumentException("a device needs a name and at least one address");
        }
    }

    /**
     * Makes a device with one address that does what the specification asks.
     *
     * @param name the name to open it by
     * @param address an IPv4 or IPv6 address in text form
     * @return the specification
     */
    public static SimDeviceSpec of(String name, String address) {
        return new SimDeviceSpec(name, List.of(Gid.parse(address)), DeviceProfile.specification());
    }

    /**
     * The same device of another kind.
     *
     * @param value what it can do and how it behaves
     * @return a new specification
     */
    public SimDeviceSpec withProfile(DeviceProfile value) {
        return new SimDeviceSpec(name, addresses, value);
    }
}
