// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.net.InetAddress;

final class LnetDevices {
    private LnetDevices() {}

    /** Returns the name of the device that has the given IP address at its first port. */
    static String withAddress(VerbsProvider provider, InetAddress address) throws VerbsException, ToolException {
        Gid gid = Gid.ofAddress(address);
        for (DeviceInfo info : provider.devices()) {
            try (Device device = provider.open(info.name())) {
                if (device.gidTable(1).stream().anyMatch(entry -> entry.gid().equals(gid))) {
                    return info.name();
                }
            }
        }
        throw new ToolException("no device has the address " + address.getHostAddress());
    }
}
