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
 * What a side says of its device.
 *
 * @param name its name
 * @param attributes its limits
 * @param capabilities what it can do
 * @param port the state of its first port
 * @param source the address that it is reached by, the best of its table
 * @param gids the addresses of its first port
 * @param virtualTime whether its time is simulated
 * @param connections what its connection manager can do, or empty if there is none
 */
public record Facts(
        String name,
        DeviceAttributes attributes,
        Set<Capability> capabilities,
        PortAttributes port,
        GidEntry source,
        List<GidEntry> gids,
        boolean virtualTime,
        Optional<Set<CmCapability>> connections)
        implements Reply {
    /** Keeps its own copies. */
    public Facts {
        capabilities = Set.copyOf(capabilities);
        gids = List.copyOf(gids);
        connections = connections.map(Set::copyOf);
    }
}
