// SPDX-License-Identifier: Apache-2.0
/**
 * The counters of a device. A counter that Soft-RoCE has under hw_counters has the same name here. The method
 * {@link dev.verbena.sim.SimProvider#counters} returns the {@link dev.verbena.sim.counters.DeviceCounters} of a device.
 * Each {@link dev.verbena.sim.counters.Counter} describes one counter.
 */
package dev.verbena.sim.counters;
