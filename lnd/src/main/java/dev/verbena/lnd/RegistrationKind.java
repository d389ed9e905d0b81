// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.verbs.Capability;
import java.util.Set;

/** The types of memory registration by which a device gives peers access to memory. */
public enum RegistrationKind {
    /**
     * Fast memory regions (FMR), mapped by a verbs call instead of a work request. Only some devices, and only kernels
     * before 5.8, support FMRs. If FMRs are available, the LND prefers them to the other types of memory registration.
     */
    FMR,
    /** Memory regions, registered by a REG_MR work request before the SEND. Kernel verbs support REG_MR. */
    FAST_REGISTRATION,
    /**
     * Type 2 memory windows on the node's memory region. Before the SEND, the node posts a BIND_MW work request that binds
     * a window. User-space verbs support BIND_MW.
     */
    MEMORY_WINDOW,
    /** A new memory region for each RDMA transfer. */
    REGION,
    /**
     * Memory regions that the LND keeps for later transfers. {@code REGION_CACHE} is used only if the LND's tunables select
     * it. After a transfer with {@code REGION_CACHE}, peers keep access to the pages of the transfer.
     */
    REGION_CACHE,
    /**
     * One memory region for the node's whole registered memory, used only if the LND's tunables select it. Every peer may
     * write to the node's whole registered memory.
     */
    GLOBAL_REGION;

    /**
     * {@return whether a device with these capabilities supports this type of memory registration}
     *
     * @param capabilities the capabilities of the device
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
     * {@return the type of memory registration that o2iblnd prefers on a device: the first constant of this enum that the
     * device supports}
     *
     * @param capabilities the capabilities of the device
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
