// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Device;

/** The context, profile, key table and pinned memory of a device, which the registration of memory uses. */
record Registrar(Device device, DeviceProfile profile, MemoryTable table, PinnedMemory pinned) {}
