// SPDX-License-Identifier: Apache-2.0
/**
 * The counters of a device, with the names of Soft-RoCE's hw_counters where Soft-RoCE has the counter.
 * {@link dev.verbena.sim.SimProvider#counters SimProvider.counters} returns the
 * {@link dev.verbena.sim.counters.DeviceCounters} of a device, and {@link dev.verbena.sim.counters.Counter} describes each
 * counter.
 */
package dev.verbena.sim.counters;
