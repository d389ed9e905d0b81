package dev.verbena.sim.device;

import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Device;

/**
 * The parts of a device that register memory.
 *
 * @param device the context that names the device and owns the regions
 * @param profile the limits and quirks
 * @param table the registered memory
 * @param pinned the pinned memory
 */
record Registrar(Device device, DeviceProfile profile, MemoryTable table, PinnedMemory pinned) {}
