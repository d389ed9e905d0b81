// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.CmCapability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.PortAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The description of a device.
 *
 * @param addresses the attributes, GIDs and IP address of the port under test
 * @param virtualTime whether the device uses virtual time
 * @param connections the capabilities of the connection manager, or empty if the provider has no connection manager
 */
public record Facts(
        String name,
        DeviceAttributes attributes,
        Set<Capability> capabilities,
        Addresses addresses,
        boolean virtualTime,
        Optional<Set<CmCapability>> connections) {
    /**
     * The attributes, GIDs and IP address of the port under test.
     *
     * @param source the selected GID of the port
     * @param ip the IP address of the port for connection managers, or empty if the port has none
     */
    public record Addresses(PortAttributes port, GidEntry source, List<GidEntry> gids, Optional<String> ip) {
        public Addresses {
            gids = List.copyOf(gids);
        }
    }

    public Facts {
        capabilities = Set.copyOf(capabilities);
        connections = connections.map(Set::copyOf);
    }

    public PortAttributes port() {
        return addresses.port;
    }

    public GidEntry source() {
        return addresses.source;
    }

    public List<GidEntry> gids() {
        return addresses.gids;
    }

    public Optional<String> ip() {
        return addresses.ip;
    }
}
