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
 * A side's description of its device.
 *
 * @param name its name
 * @param attributes its limits
 * @param capabilities its capabilities
 * @param addresses its first port and the addresses there
 * @param virtualTime whether its time is simulated
 * @param connections the capabilities of its connection manager, or empty if there is none
 */
public record Facts(
        String name,
        DeviceAttributes attributes,
        Set<Capability> capabilities,
        Addresses addresses,
        boolean virtualTime,
        Optional<Set<CmCapability>> connections) {
    /**
     * The first port of a device.
     *
     * @param port its state
     * @param source the address that it is reached by, the best of its table
     * @param gids its addresses
     */
    public record Addresses(PortAttributes port, GidEntry source, List<GidEntry> gids) {
        /** Keeps its own copy. */
        public Addresses {
            gids = List.copyOf(gids);
        }
    }

    /** Keeps its own copies. */
    public Facts {
        capabilities = Set.copyOf(capabilities);
        connections = connections.map(Set::copyOf);
    }

    /** {@return {@link Addresses#port()}} */
    public PortAttributes port() {
        return addresses.port;
    }

    /** {@return {@link Addresses#source()}} */
    public GidEntry source() {
        return addresses.source;
    }

    /** {@return {@link Addresses#gids()}} */
    public List<GidEntry> gids() {
        return addresses.gids;
    }
}
