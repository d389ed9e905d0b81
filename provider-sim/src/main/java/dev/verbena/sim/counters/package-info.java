// SPDX-License-Identifier: Apache-2.0
/**
 * The counters of a device, with the names of Soft-RoCE's hw_counters where Soft-RoCE has the counter. The method
 * {@link dev.verbena.sim.SimProvider#counters} returns the {@link dev.verbena.sim.counters.DeviceCounters} of a device. Each
 * {@link dev.verbena.sim.counters.Counter} describes one counter.
 */
package dev.verbena.sim.counters;
