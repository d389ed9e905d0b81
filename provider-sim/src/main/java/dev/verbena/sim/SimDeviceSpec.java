// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim;

import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Gid;
import java.util.List;

/**
 * Specifies a software device to create: its name, the GIDs of its port, and its {@link DeviceProfile}.
 *
 * @param name the name by which applications open the device, such as {@code sim0}
 * @param addresses the port's GIDs, at least one; the device adds its link-local GID
 * @param profile limits, capabilities and behavior; a GUID derived from the first GID replaces the profile's GUID
 */
public record SimDeviceSpec(String name, List<Gid> addresses, DeviceProfile profile) {
    /** Checks that the device has a name and at least one GID, and copies the list of GIDs. */
    public SimDeviceSpec {
        addresses = List.copyOf(addresses);
        if (name.isBlank() || addresses.isEmpty()) {
            throw new IllegalArgumentException("a device needs a name and at least one address");
        }
    }

    /**
     * {@return the specification of a device with one GID and the profile {@link DeviceProfile#specification()}}
     *
     * @param name the name by which applications open the device
     * @param address an IPv4 or IPv6 address as a string
     */
    public static SimDeviceSpec of(String name, String address) {
        return new SimDeviceSpec(name, List.of(Gid.parse(address)), DeviceProfile.specification());
    }

    /**
     * {@return the specification of the same device with another profile}
     *
     * @param value the limits, capabilities and behavior of the device
     */
    public SimDeviceSpec withProfile(DeviceProfile value) {
        return new SimDeviceSpec(name, addresses, value);
    }
}
