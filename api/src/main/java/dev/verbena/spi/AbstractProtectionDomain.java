// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;

/**
 * A protection domain whose device supports no memory windows, shared receive queues or address handles. Thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractProtectionDomain implements ProtectionDomain {
    private final Device device;

    /**
     * Creates a protection domain.
     *
     * @param device the device of the domain
     */
    protected AbstractProtectionDomain(Device device) {
        this.device = device;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public MemoryWindow allocateMw(MemoryWindowType type) throws VerbsException {
        throw lacks(type == MemoryWindowType.TYPE_1 ? Capability.MW_TYPE_1 : Capability.MW_TYPE_2B, "ibv_alloc_mw");
    }

    @Override
    public SharedReceiveQueue createSrq(SrqInitAttributes attributes) throws VerbsException {
        throw lacks(Capability.SRQ, "ibv_create_srq");
    }

    @Override
    public AddressHandle createAh(AddressVector vector) throws VerbsException {
        throw lacks(Capability.UD, "ibv_create_ah");
    }

    @Override
    public AddressHandle createAh(int port, WorkCompletion completion, MemorySegment grh) throws VerbsException {
        throw lacks(Capability.AH_FROM_COMPLETION, "ibv_create_ah_from_wc");
    }

    private CapabilityException lacks(Capability capability, String verb) {
        return new CapabilityException(capability, verb, device().name());
    }
}
