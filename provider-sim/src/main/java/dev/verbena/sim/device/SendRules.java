package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.memory.RegisteredMemory;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOpcode;

/**
 * The objects that the send requests of one queue pair may name, and their limits.
 *
 * @param type the transport of the queue pair
 * @param capabilities its limits
 * @param device its device
 * @param domain its protection domain
 * @param profile the operations and limits of the device
 * @param memory the registered memory of the device
 */
record SendRules(
        QpType type,
        QpCapabilities capabilities,
        Device device,
        ProtectionDomain domain,
        DeviceProfile profile,
        MemoryTable memory) {
    boolean supports(SendOpcode opcode) {
        return opcode.supportedOn(type) && profile.supports(opcode);
    }

    /** Returns the registered memory of a region of this device. */
    RegisteredMemory memoryOf(MemoryRegion region) {
        return SimRegion.memoryOf(region, device);
    }
}
