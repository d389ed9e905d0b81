// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim;

import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Gid;
import java.util.List;

/**
 * A device to make: its name, the addresses of its port, and its profile.
 *
 * @param name the name to open it by, such as {@code sim0}
 * @param addresses the port's addresses, at least one; the device adds its link-local GID
 * @param profile limits and behaviour; a GUID made from the first address replaces the profile's
 */
public record SimDeviceSpec(String name, List<Gid> addresses, DeviceProfile profile) {
    /** Checks that there is a name and an address, and copies the list. */
    public SimDeviceSpec {
        addresses = List.copyOf(addresses);
        if (name.isBlank() || addresses.isEmpty()) {
            throw new IllegalArgumentException("a device needs a name and at least one address");
        }
    }

    /**
     * Makes a device with one address that follows the specification.
     *
     * @param name the name to open it by
     * @param address an IPv4 or IPv6 address in text form
     * @return the specification
     */
    public static SimDeviceSpec of(String name, String address) {
        return new SimDeviceSpec(name, List.of(Gid.parse(address)), DeviceProfile.specification());
    }

    /**
     * Returns the same device with another profile.
     *
     * @param value limits and behaviour
     * @return a new specification
     */
    public SimDeviceSpec withProfile(DeviceProfile value) {
        return new SimDeviceSpec(name, addresses, value);
    }
}
