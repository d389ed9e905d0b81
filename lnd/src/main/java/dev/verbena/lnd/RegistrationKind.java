// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.verbs.Capability;
import java.util.Set;

/** The ways of making memory known to a device and to peers. */
public enum RegistrationKind {
    /** Regions mapped by a call: devices and kernels before 5.8. Preferred where they exist. */
    FMR,
    /** Regions mapped by a work request in front of the message: kernel verbs. */
    FAST_REGISTRATION,
    /** Windows of type 2 on the node's region, bound by a work request in front of the message: user-space verbs. */
    MEMORY_WINDOW,
    /** A plain region for each transfer. */
    REGION,
    /**
     * Plain regions, registered when they are needed first and kept for the next time. A peer keeps access to the pages of its
     * transfer after that has ended; never chosen by itself.
     */
    REGION_CACHE,
    /** One region over the node's whole memory, to which every peer has access all the time; never chosen by itself. */
    GLOBAL_REGION;

    /**
     * Returns whether a device has the capabilities for this kind.
     *
     * @param capabilities the device's
     * @return true if the way can be used
     */
    public boolean isPossible(Set<Capability> capabilities) {
        return switch (this) {
            case FMR -> capabilities.contains(Capability.FMR);
            case FAST_REGISTRATION -> capabilities.contains(Capability.FAST_REGISTRATION);
            case MEMORY_WINDOW ->
                capabilities.contains(Capability.MW_TYPE_2A) || capabilities.contains(Capability.MW_TYPE_2B);
            case REGION, REGION_CACHE, GLOBAL_REGION -> true;
        };
    }

    /**
     * Returns the kind that o2iblnd uses on such a device. If the device has neither of the kernel's two kinds, returns
     * the kind of user space.
     *
     * @param capabilities the device's
     * @return the first way in the order of the constants that is possible
     */
    public static RegistrationKind preferred(Set<Capability> capabilities) {
        for (RegistrationKind kind : values()) {
            if (kind.isPossible(capabilities)) {
                return kind;
            }
        }
        return REGION;
    }
}
