// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.memory.RegisteredMemory;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOpcode;

/** The properties of a queue pair and its device that determine which send requests are valid. */
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

    /** Returns the length in bytes of a send WQE without the fields that only the requester writes. */
    int entrySize() {
        return SendWqe.headerLength(type) + capabilities.maxInlineData();
    }

    RegisteredMemory memoryOf(MemoryRegion region) {
        return SimRegion.memoryOf(region, device);
    }
}
