// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.FastRegistrationStrategy;
import dev.verbena.lnd.memory.FmrStrategy;
import dev.verbena.lnd.memory.GlobalRegionStrategy;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.memory.OnDemandStrategy;
import dev.verbena.lnd.memory.PoolParameters;
import dev.verbena.lnd.memory.RegionCacheStrategy;
import dev.verbena.lnd.memory.RegionStrategy;
import dev.verbena.lnd.memory.RegistrationStrategy;
import dev.verbena.lnd.memory.WindowStrategy;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongSupplier;

/** Selects the type of memory registration of a node, as o2iblnd does when it opens a device. */
final class RegistrationStrategies {

    private RegistrationStrategies() {}

    /**
     * Returns GLOBAL_REGION if {@code mapOnDemand} is 0, else the requested or preferred type of memory registration.
     *
     * @throws CapabilityException if the device does not support the requested type of memory registration
     */
    static RegistrationKind kind(Device device, RegistrationTunables tunables) throws CapabilityException {
        RegistrationKind kind =
                tunables.kind() == null ? RegistrationKind.preferred(device.capabilities()) : tunables.kind();
        if (tunables.mapOnDemand() == 0) {
            return RegistrationKind.GLOBAL_REGION;
        }
        if (!kind.isPossible(device.capabilities())) {
            throw new CapabilityException(
                    switch (kind) {
                        case FMR -> Capability.FMR;
                        case FAST_REGISTRATION -> Capability.FAST_REGISTRATION;
                        case MEMORY_WINDOW, REGION, REGION_CACHE, GLOBAL_REGION -> Capability.MW_TYPE_2B;
                    },
                    "LnetNode.start",
                    device.name());
        }
        return kind;
    }

    /**
     * Returns the access flags of the memory region for the node's registered memory. REMOTE_WRITE is included only if the
     * node sends the R_Key of this memory region to peers.
     */
    static Set<AccessFlag> regionAccess(RegistrationKind kind, RegistrationTunables tunables) {
        Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE);
        if (namesNodeRegion(kind, tunables)) {
            access.add(AccessFlag.REMOTE_WRITE);
        }
        if (kind == RegistrationKind.MEMORY_WINDOW) {
            access.add(AccessFlag.MW_BIND);
        }
        return access;
    }

    private static boolean namesNodeRegion(RegistrationKind kind, RegistrationTunables tunables) {
        return kind == RegistrationKind.GLOBAL_REGION || tunables.mapOnDemand() > 1;
    }

    /** Returns whether a peer can access memory of this node that belongs to no RDMA transfer in progress. */
    static boolean grantsMoreThanTransfers(RegistrationKind kind, RegistrationTunables tunables) {
        return namesNodeRegion(kind, tunables)
                || kind == RegistrationKind.REGION_CACHE
                || (kind != RegistrationKind.REGION && !tunables.invalidateOnRelease());
    }

    /** Creates a CPU partition's {@code RegistrationStrategy}, which the caller must close before {@code memory}. */
    static RegistrationStrategy create(
            Device device,
            ProtectionDomain domain,
            NodeMemory memory,
            RegistrationTunables tunables,
            LongSupplier clock)
            throws VerbsException {
        RegistrationKind kind = kind(device, tunables);
        PoolParameters parameters = tunables.pools();
        RegistrationStrategy chosen = switch (kind) {
            case FMR -> new FmrStrategy(device, domain, memory, parameters, clock);
            case FAST_REGISTRATION -> new FastRegistrationStrategy(device, domain, memory, parameters, clock);
            case MEMORY_WINDOW -> new WindowStrategy(domain, memory, parameters, clock);
            case REGION -> new RegionStrategy(memory);
            case REGION_CACHE -> new RegionCacheStrategy(memory, parameters);
            case GLOBAL_REGION -> new GlobalRegionStrategy(memory);
        };
        return tunables.mapOnDemand() > 1 && kind != RegistrationKind.GLOBAL_REGION
                ? new OnDemandStrategy(new GlobalRegionStrategy(memory), chosen, tunables.mapOnDemand())
                : chosen;
    }
}
