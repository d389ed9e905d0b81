// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Device;

/** The components of a device that memory registration uses: the context, profile, key table and pinned memory. */
record Registrar(Device device, DeviceProfile profile, MemoryTable table, PinnedMemory pinned) {}
