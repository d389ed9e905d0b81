// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.Availability;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.util.List;

/** Lists the devices of a provider, so that all commands report missing devices in the same way. */
public final class InstalledDevices {
    private InstalledDevices() {}

    /** Returns one or more devices, or throws {@link ToolException} with the remedy if the provider has no device. */
    public static List<DeviceInfo> of(VerbsProvider provider) throws ToolException, VerbsException {
        Availability availability = provider.availability();
        if (availability instanceof Availability.Unavailable(String reason, String cure)) {
            throw none(provider, reason + "; " + cure);
        }
        List<DeviceInfo> devices = provider.devices();
        if (devices.isEmpty()) {
            throw none(
                    provider, availability instanceof Availability.Available(String detail) ? detail : "it lists none");
        }
        return devices;
    }

    private static ToolException none(VerbsProvider provider, String reason) {
        return new ToolException("No IB devices found by provider '" + provider.name() + "': " + reason
                + "; 'verbena doctor' reports the state of this machine, and --provider sim needs no device");
    }
}
