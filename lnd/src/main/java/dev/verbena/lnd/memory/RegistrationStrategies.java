package dev.verbena.lnd.memory;

import dev.verbena.lnd.RegistrationKind;
import dev.verbena.lnd.RegistrationTunables;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.function.LongSupplier;

/** Chooses how a node registers memory, as o2iblnd does when it opens a device. */
public final class RegistrationStrategies {

    private RegistrationStrategies() {}

    /**
     * The kind that a node will use.
     *
     * @param device its device
     * @param tunables its parameters
     * @return what was asked for, else what the device has
     * @throws CapabilityException if the device lacks what was asked for
     */
    public static RegistrationKind kind(Device device, RegistrationTunables tunables) throws CapabilityException {
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
                        case MEMORY_WINDOW, REGION_CACHE, GLOBAL_REGION -> Capability.MW_TYPE_2B;
                    },
                    "LnetNode.start",
                    device.name());
        }
        return kind;
    }

    /**
     * Makes the strategy of a node.
     *
     * @param device its device
     * @param domain its protection domain
     * @param memory its memory
     * @param tunables its parameters
     * @param clock the present time in nanoseconds
     * @return a strategy, to be closed before the memory is
     * @throws VerbsException if the device refuses
     */
    public static RegistrationStrategy create(
            Device device,
            ProtectionDomain domain,
            NodeMemory memory,
            RegistrationTunables tunables,
            LongSupplier clock)
            throws VerbsException {
        RegistrationStrategy global = new GlobalRegionStrategy(memory);
        RegistrationStrategy chosen = switch (kind(device, tunables)) {
            case FMR -> new FmrStrategy(device, domain, memory, tunables, clock);
            case FAST_REGISTRATION -> new FastRegistrationStrategy(device, domain, memory, tunables, clock);
            case MEMORY_WINDOW -> new WindowStrategy(domain, memory, tunables, clock);
            case REGION_CACHE -> new RegionCacheStrategy(domain, memory, tunables);
            case GLOBAL_REGION -> global;
        };
        boolean mixed = tunables.mapOnDemand() > 1 && chosen.kind() != RegistrationKind.GLOBAL_REGION;
        return mixed ? new OnDemandStrategy(global, chosen, tunables.mapOnDemand()) : chosen;
    }
}
