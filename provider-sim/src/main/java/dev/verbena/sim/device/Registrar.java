// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Device;

/** The parts of a device that register memory, and the context of the registered regions. */
record Registrar(Device device, DeviceProfile profile, MemoryTable table, PinnedMemory pinned) {}
